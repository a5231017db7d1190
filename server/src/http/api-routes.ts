/** Every route of the API: one list, for the service and for the tests that look at all of them. */
import type { Context } from '../context.ts';
import { type AccountValidationOperations, accountValidationRoutes } from './routes/account-validations.ts';
import { apiLogRoutes } from './routes/api-logs.ts';
import { balanceRoutes } from './routes/balances.ts';
import { type CallbackOperations, callbackRoutes } from './routes/callbacks.ts';
import { type DebitOperations, debitRoutes } from './routes/debits.ts';
import { type DocumentOperations, documentRoutes } from './routes/documents.ts';
import { fileRoutes } from './routes/files.ts';
import { infoRoutes } from './routes/info.ts';
import { type PayinMethodOperations, payinMethodRoutes } from './routes/payin-methods.ts';

import { type PayoutMethodOperations, payoutMethodRoutes } from './routes/payout-methods.ts';

import { proofRoutes } from './routes/proofs.ts';

import { type RecipientOperations, recipientRoutes } from './routes/recipients.ts';
import { type SandboxOperations, sandboxRoutes } from './routes/sandbox.ts';
import { sandboxWebhookRoutes } from './routes/sandbox-webhooks.ts';
import { type SenderOperations, senderRoutes } from './routes/senders.ts';
import { type TransactionOperations, transactionRoutes } from './routes/transactions.ts';
import { webhookLogRoutes } from './routes/webhook-logs.ts';
import { type WebhookOperations, webhookRoutes } from './routes/webhooks.ts';
import type { Routes } from './server.ts';

interface ApiOperations {
  readonly transactions: TransactionOperations;
  readonly debits: DebitOperations;
  readonly recipients: RecipientOperations;
  readonly sandbox: SandboxOperations;
  readonly senders: SenderOperations;
  readonly documents: DocumentOperations;
  readonly payoutMethods: PayoutMethodOperations;
  readonly payinMethods: PayinMethodOperations;
  readonly callbacks: CallbackOperations;
  readonly accountChecks: AccountValidationOperations;
  readonly webhooks: WebhookOperations;
}

export function apiRoutes(ctx: Context, operations: ApiOperations): Routes[] {
  return [
    transactionRoutes(ctx, operations.transactions),
    recipientRoutes(ctx, operations.recipients),
    proofRoutes(ctx),
    fileRoutes(ctx),
    debitRoutes(ctx, operations.debits),
    balanceRoutes(ctx),
    senderRoutes(ctx, operations.senders),
    documentRoutes(ctx, operations.documents),
    payoutMethodRoutes(ctx, operations.payoutMethods),
    accountValidationRoutes(ctx, operations.accountChecks),
    payinMethodRoutes(ctx, operations.payinMethods),
    infoRoutes(ctx),
    apiLogRoutes(ctx),
    sandboxRoutes(ctx, operations.sandbox),
    callbackRoutes(ctx, operations.callbacks),
    webhookRoutes(ctx, operations.webhooks),
    webhookLogRoutes(ctx),
    sandboxWebhookRoutes(ctx, operations.webhooks.httpClient),
  ];
}
