/** The operations of the API, each behind a batch runner of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../accounts/calls.ts';
import type { Context } from '../context.ts';
import { createDocuments } from '../documents/create.ts';
import { BatchRunner } from '../kernel/batch.ts';
import type { WakeTopic } from '../kernel/wake.ts';
import { changePayoutMethods } from '../payout-methods/change.ts';
import { type DisableAnswer, disableSenders } from '../senders/disable.ts';
import { putSenders, type SenderAnswer } from '../senders/put.ts';
import { batchOptions } from '../settings/batch-options.ts';
import { calculateTransactions } from '../transactions/calculate.ts';
import { cancelRecipients } from '../transactions/cancel.ts';
import { changePayinMethods } from '../transactions/change-payin.ts';
import { createTransactions } from '../transactions/create.ts';
import type { CreateAnswer } from '../transactions/create-command.ts';
import { editRecipients } from '../transactions/edit.ts';
import { forcePayins } from '../transactions/force-payin.ts';
import { forcePayouts } from '../transactions/force-payout.ts';
import { fundTransactions } from '../transactions/fund.ts';
import { createWebhooks } from '../webhooks/create-webhooks.ts';
import { deleteWebhooks } from '../webhooks/delete-webhooks.ts';
import type { Outgoing } from '../webhooks/hand-over.ts';
import { UndiciSender } from '../webhooks/undici-sender.ts';

/** What most operations may leave to do at once. Quotes, documents and saved accounts leave nothing. */
const WORK: readonly WakeTopic[] = ['transactions', 'deliveries'];
/** Those that themselves wake who delivers, when somebody wants to be told. */
const PAYMENTS: readonly WakeTopic[] = ['transactions'];

type Operate<Command, Answer> = (
  ctx: Context,
  commands: readonly Command[],
  outgoing: Outgoing | undefined,
) => Promise<readonly Answer[]>;

interface Aftermath<Answer> {
  readonly leaves?: readonly WakeTopic[];
  readonly isForSenders?: (answer: Answer) => boolean;
}

const CREATION: Aftermath<CreateAnswer> = { leaves: PAYMENTS, isForSenders: hasDueSender };

/**
 * `close` takes no more commands and resolves when those that were taken are answered. `outgoing`: who sends the
 * webhooks in this process, where it does; payments hand theirs over.
 */
export function openOperations(ctx: Context, outgoing?: Outgoing) {
  const httpClient = new UndiciSender({ mode: ctx.settings.mode });
  const closing: { close(): Promise<void> }[] = [httpClient];

  function behindBatches<Command extends { readonly call: Call }, Answer>(
    name: string,
    operate: Operate<Command, Answer>,
    { leaves = WORK, isForSenders = () => false }: Aftermath<Answer> = {},
  ): (command: Command) => Promise<Answer> {
    const runner = new BatchRunner<Command, Answer>(
      batchOptions(ctx, { name, tenantOf: ({ call }) => call.accountId, pause: (delayMs) => sleep(delayMs) }),
      async (commands) => {
        const answers = await operate(ctx, commands, outgoing);
        for (const topic of leaves) ctx.wake.wake(topic);
        if (answers.some(isForSenders)) ctx.wake.wake('senders');
        return answers;
      },
    );
    closing.push(runner);
    return (command) => runner.submit(command);
  }

  return {
    transactions: {
      create: behindBatches('create_transactions', createTransactions, CREATION),
      calculate: behindBatches('calculate_transactions', calculateTransactions, { leaves: [] }),
    },
    debits: { fund: behindBatches('fund_transactions', fundTransactions, { leaves: PAYMENTS }) },
    recipients: {
      cancel: behindBatches('cancel_recipients', cancelRecipients),
      edit: behindBatches('edit_recipients', editRecipients),
    },
    payinMethods: { change: behindBatches('change_payin_methods', changePayinMethods) },
    sandbox: {
      payOut: behindBatches('force_payouts', forcePayouts),
      payIn: behindBatches('force_payins', forcePayins),
    },
    senders: {
      put: behindBatches('put_senders', putSenders, { isForSenders: isDueSender }),
      disable: behindBatches('disable_senders', disableSenders, { isForSenders: isDueSender }),
    },
    documents: { create: behindBatches('create_documents', createDocuments, { leaves: [] }) },
    payoutMethods: { change: behindBatches('change_payout_methods', changePayoutMethods, { leaves: [] }) },
    webhooks: {
      create: behindBatches('create_webhooks', createWebhooks),
      remove: behindBatches('delete_webhooks', deleteWebhooks),
      httpClient,
    },
    close: () => Promise.all(closing.map((each) => each.close())).then(() => undefined),
  };
}

function isDueSender(answer: SenderAnswer | DisableAnswer): boolean {
  return 'sender' in answer && answer.sender.due !== null;
}

function hasDueSender(answer: CreateAnswer): boolean {
  return answer.kind === 'created' && answer.transaction.sender.due !== null;
}
