/**
 * How operators end a collection that does not come to an end by itself: one that broke, by what it holds; and one
 * whose provider has had the money to confirm for too long, by what people have found out. In the transaction of the
 * caller, who writes the audit row, with the evidence, into the same commit. Open points OP-213 and OP-220.
 */
import type { OperatorCommand } from '../accounts/audit.ts';
import type { OperatorRefusalCode } from '../accounts/operator-refusals.ts';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { referenceIn } from '../payins/receipt.ts';
import { readKnownPayments } from '../payins/receipt-store.ts';
import { failureOf } from '../payins/state-reason.ts';
import { isUnconfirmed } from './attention.ts';
import { isCallUnderWay } from './call-under-way.ts';
import { hearPayin, type PayinSaid } from './hear-payin.ts';
import { openHoldDesk } from './hold-desk.ts';
import { openCollection } from './payin-desk.ts';
import type { PayinOrderResult } from './payin-orders.ts';
import { abandonCollection, failPayin, payinAt, resumeCollection } from './payin-steps.ts';
import { schedulePayin } from './schedule-payin.ts';
import type { WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

/** What people have found out about the payment. */
export type FoundOut =
  /** It came, the whole amount: the provider's own reference of it, so that its late word tells nothing new. */
  { readonly outcome: 'paid'; readonly reference: string } | { readonly outcome: 'unpaid' };

type ResolveContext = Pick<Context, 'ids' | 'catalogue' | 'settings' | 'clock' | 'log'>;

const no = (why: OperatorRefusalCode): PayinOrderResult => ({ ok: false, why });

/**
 * What broke is canceled where it holds no money, otherwise it goes on; payments that could not be recorded are in
 * suspense and are decided on apart. Refuses with transaction_not_found, not_a_collection, not_broken, outcome_needed,
 * outcome_not_asked, call_under_way, reference_taken.
 */
export async function resolveCollection(
  ctx: ResolveContext,
  tx: Tx,
  transactionId: string,
  { found, by }: { readonly found: FoundOut | undefined; readonly by: OperatorCommand },
): Promise<PayinOrderResult> {
  const opened = await openCollection(ctx, tx, transactionId, by);
  if (!opened.ok) return opened;
  const { desk, transaction } = opened;
  if (isUnconfirmed(transaction, desk.now, ctx.settings.payins)) {
    return found === undefined ? no('outcome_needed') : settle(ctx, tx, desk, transaction, found);
  }
  if (transaction.state !== 'exception') return no('not_broken');
  if (found !== undefined) return no('outcome_not_asked');
  const holds = await openHoldDesk(ctx, tx, { transactions: [transaction], hasRules: false });
  if (transaction.fundedAt === null) abandonCollection(desk, transaction);
  else resumeCollection(desk, transaction);
  // Broken under review, and not decided on since: that is still waited for. Open point OP-235.
  holds.review(desk, transaction);
  await holds.write(tx);
  await desk.write(tx);
  return { ok: true, was: 'exception' };
}

/** As if its provider had said so. What it says later is heard all the same: a payment then goes to suspense. */
async function settle(
  ctx: ResolveContext,
  tx: Tx,
  desk: TransactionDesk,
  transaction: WholeTransaction,
  found: FoundOut,
): Promise<PayinOrderResult> {
  const method = present(
    transaction.payinMethods.find(({ state }) => state === 'processing'),
    'the payin method that is being confirmed',
  );
  // What the provider is saying at this moment would be decided over.
  if (isCallUnderWay(method, desk.now)) return no('call_under_way');
  const attempt = present(desk.payins.attempt(method.attemptId), 'the prompt that is being confirmed');
  if (found.outcome === 'paid') {
    const { accountId, transactionId } = transaction;
    const known = await readKnownPayments(
      tx,
      [found.reference, referenceIn(found.reference, transactionId)].map((paymentReference) => ({
        accountId,
        provider: attempt.provider,
        paymentReference,
      })),
    );
    if (known.length > 0) return no('reference_taken');
  }
  const said: PayinSaid =
    found.outcome === 'paid'
      ? { kind: 'paid', payments: [{ reference: found.reference, minor: attempt.amount }] }
      : { kind: 'failed', code: UNPAID_CODE };
  desk.applyPayin({ ...method, isClaimed: false, nextAttemptAt: null });
  // A prompt that has ended, by a payment that goes by another collection, is not spoken of again: only the wait ends.
  if (said.kind === 'failed' && attempt.outcome !== null) failPayin(desk, method, failureOf(said.code));
  else hearPayin(ctx, desk, payinAt(desk, method).method, attempt, said);
  schedulePayin(ctx, desk, method, {});
  await desk.write(tx);
  return { ok: true, was: method.state };
}

/** Published: the payment did not come in; no reason was given. */
const UNPAID_CODE = '5';
