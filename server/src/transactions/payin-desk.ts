/** The desk for commands that name payin methods: locks their transactions and finds each payin method at the desk. */
import type { OperatorCommand } from '../accounts/audit.ts';
import type { OperatorRefusalCode } from '../accounts/operator-refusals.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import type { PayinMethodKey } from '../payins/payin-method.ts';
import { findTransactionsOfPayins } from '../payins/store.ts';
import { readLastPrompts } from './last-attempts.ts';
import { lockTransactionsAlone, readWholeTransactions } from './load.ts';
import { findTransactionOwner } from './owner-store.ts';
import { PayinBook } from './payin-book.ts';
import type { PayinAtDesk } from './payin-steps.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import { TransactionDesk } from './transaction-desk.ts';

class PayinMethodDesk {
  readonly desk: TransactionDesk;
  readonly #transactionOf: ReadonlyMap<string, string>;

  constructor(desk: TransactionDesk, transactionOf: ReadonlyMap<string, string>) {
    this.desk = desk;
    this.#transactionOf = transactionOf;
  }

  /** As the commands before have left it. Undefined: this account has no such payin method. */
  find({ accountId, payinMethodId }: PayinMethodKey): PayinAtDesk | undefined {
    const transactionId = this.#transactionOf.get(payinMethodId);
    const transaction = transactionId === undefined ? undefined : this.desk.find({ accountId, transactionId });
    return transaction && inTransaction(transaction, payinMethodId);
  }
}

export async function openPayinDesk(
  ctx: Pick<Context, 'ids' | 'catalogue' | 'settings' | 'clock'>,
  tx: Tx,
  keys: readonly PayinMethodKey[],
): Promise<PayinMethodDesk> {
  // A payin method never changes its transaction, so that may be read before the lock.
  const found = await findTransactionsOfPayins(tx, keys);
  const desk = await openCollections(ctx, tx, found);
  return new PayinMethodDesk(desk, new Map(found.map((each) => [each.payinMethodId, each.transactionId])));
}

/** The desk for commands that name collections. */
export async function openCollections(
  ctx: Pick<Context, 'ids' | 'catalogue' | 'settings' | 'clock'>,
  tx: Tx,
  keys: readonly TransactionKey[],
  by?: OperatorCommand,
): Promise<TransactionDesk> {
  const transactions = await lockTransactionsAlone(tx, keys);
  const payins = new PayinBook(await readLastPrompts(tx, transactions.values()));
  const now = ctx.clock.now();
  return new TransactionDesk(ctx, { transactions, attempts: [], payins, now, by });
}

type OpenedCollection =
  | { readonly ok: true; readonly desk: TransactionDesk; readonly transaction: WholeTransaction }
  | { readonly ok: false; readonly why: OperatorRefusalCode };

/** The desk for operators, who name a transaction and no account. */
export async function openCollection(
  ctx: Pick<Context, 'ids' | 'catalogue' | 'settings' | 'clock'>,
  tx: Tx,
  transactionId: string,
  by?: OperatorCommand,
): Promise<OpenedCollection> {
  const key = await findTransactionOwner(tx, transactionId);
  if (key === undefined) return { ok: false, why: 'transaction_not_found' };
  const desk = await openCollections(ctx, tx, [key], by);
  const transaction = desk.current(key);
  return transaction.isCollection ? { ok: true, desk, transaction } : { ok: false, why: 'not_a_collection' };
}

/** GET /v1/payin_methods/{id}. Undefined: this account has no such payin method. */
export function findPayinMethod(ctx: Pick<Context, 'db'>, key: PayinMethodKey): Promise<PayinAtDesk | undefined> {
  return ctx.db.inTx(async (tx) => {
    const [owner] = await findTransactionsOfPayins(tx, [key]);
    const transaction = owner && (await readWholeTransactions(tx, [owner])).get(owner.transactionId);
    return transaction && inTransaction(transaction, key.payinMethodId);
  });
}

function inTransaction(transaction: WholeTransaction, payinMethodId: string): PayinAtDesk | undefined {
  const method = transaction.payinMethods.find((each) => each.payinMethodId === payinMethodId);
  return method && { transaction, method };
}
