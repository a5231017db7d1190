/** The SQL of webhook logs: attempts read back, and deleted when their retention is over. */
import { LogTable } from '../storage/log-table.ts';
import type { WebhookLog } from './log.ts';

const COLUMNS = `l.account_id, l.attempt_id, l.webhook_id, l.event_id, l.key, l.tries, l.delivery_state, l.outcome_reason,
  l.request_headers, l.response_status, l.response_headers, l.response_body, l.created_at`;

interface StoredLog {
  account_id: string;
  attempt_id: string;
  webhook_id: string;
  event_id: string;
  key: string;
  tries: number;
  delivery_state: string;
  outcome_reason: string | null;
  request_headers: Record<string, string>;
  response_status: number | null;
  response_headers: Record<string, string>;
  response_body: string;
  created_at: Date;
}

export const webhookLogs = new LogTable({ table: 'webhook_attempts', id: 'attempt_id', columns: COLUMNS, logOf });

function logOf(row: StoredLog): WebhookLog {
  return {
    accountId: row.account_id,
    attemptId: row.attempt_id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    key: row.key,
    tries: row.tries,
    deliveryState: row.delivery_state,
    outcomeReason: row.outcome_reason,
    requestHeaders: row.request_headers,
    responseStatus: row.response_status,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    createdAt: row.created_at,
  };
}
