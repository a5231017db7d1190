/** What ended a transaction's recipients and what came back, as operators see it: a word, and a sentence for people. */
import type { Returned } from '../ledger/returned.ts';
import type { EndedBy, Ending } from '../transactions/endings.ts';
import { formatLedgerAmount } from './ledger-currency.ts';
import { timeView } from './time-view.ts';

export function endingView(ending: Ending) {
  const { audit, askedAt } = ending;
  return {
    recipient_id: ending.recipientId,
    state: ending.state,
    at: timeView(ending.at),
    by: ending.by,
    operator: audit?.operator ?? null,
    action: audit?.action ?? null,
    audit_id: audit?.auditId ?? null,
    asked_at: timeView(askedAt),
    says: sayEnding(ending),
  };
}

function sayEnding(ending: Ending): string {
  const said = SENTENCES[ending.by](ending);
  if (ending.askedAt === null || ending.state !== 'refunded') return said;
  return `${said} That was asked for at ${ending.askedAt.toISOString()}; what had become of the order had to be known first.`;
}

const SENTENCES = {
  caller: () => 'Its caller canceled it.',
  operator: ({ audit }) =>
    audit === null ? 'An operator ended it.' : `${audit.operator} ended it (${audit.action}, ${audit.auditId}).`,
  auto_refund: () => 'It was refunded by itself: its time had come and nobody had been paid.',
  expiry: () => 'Its hour was over, and no money that counts for it had come.',
  failed_payin: () => 'Its payment failed when its hour was over.',
  unknown: () => 'Nothing that is stored tells who or what ended it: it was before that was kept.',
} as const satisfies Record<EndedBy, (ending: Ending) => string>;

export function returnedView({ to, currency, minor, entries, lastAt }: Returned) {
  return { to, amount: formatLedgerAmount(currency, minor), currency, entries, last_at: lastAt.toISOString() };
}
