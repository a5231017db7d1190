/**
 * The holds of the transactions of a batch, as a working copy: which are open, which are added and which end. A
 * transaction is looked at here each time before work on it is decided, so that nothing is sent that has to wait.
 * Without rules, and without a transaction under review, nothing is read for it. Open points OP-201 and OP-202.
 */
import type { Context } from '../context.ts';
import { historyKey, readHistories } from '../holds/history-store.ts';
import { type Hold, type HoldDecision, isBarred, type MatchedRule } from '../holds/hold.ts';
import { insertHolds, readHolds, updateDecided } from '../holds/hold-store.ts';
import { isInScope, matchRules, type SenderHistory } from '../holds/match.ts';
import { type HoldRule, sayRule } from '../holds/rule.ts';
import { readRulesOf } from '../holds/rule-store.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { canTransact } from '../senders/states.ts';
import { holdFactsOf, isFirstLook, waitsToBeSent } from './hold-facts.ts';
import { type TransactionState, transactionTable } from './states.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

type HoldContext = Pick<Context, 'ids' | 'catalogue'>;

interface Loaded {
  readonly rules: readonly HoldRule[];
  readonly histories: ReadonlyMap<string, SenderHistory>;
  readonly holds: readonly Hold[];
}

/** In which there may be open holds: a review outlives what broke meanwhile. Open point OP-235. */
const REVIEWED: readonly TransactionState[] = ['processing', 'exception'];

/** `hasRules`: there are rules at all, for whomever. */
export async function openHoldDesk(
  ctx: HoldContext,
  tx: Tx,
  { transactions, hasRules }: { transactions: readonly WholeTransaction[]; hasRules: boolean },
): Promise<HoldDesk> {
  const fresh = hasRules ? transactions.filter(isFirstLook) : [];
  const rules = fresh.length === 0 ? [] : await readRulesOf(tx, [...new Set(fresh.map((each) => each.accountId))]);
  const ruled = rules.length === 0 ? [] : fresh;
  const known = [...ruled, ...transactions.filter((each) => REVIEWED.includes(each.state) || isStranded(each))];
  const holds = known.length === 0 ? [] : await readHolds(tx, known);
  const histories = await readHistories(
    tx,
    ruled.flatMap((transaction) => questionsOf(transaction, rules)),
  );
  return new HoldDesk(ctx, { rules, histories, holds });
}

/** Collected from somebody whom the caller has deleted: only an operator can let go of it. Open point OP-204. */
function isStranded({ isCollection, sender }: WholeTransaction): boolean {
  return isCollection && sender.state === 'disabled' && isBarred(sender);
}

/** What the rules for its account ask about its sender: once for each payout type that they name. */
function questionsOf(transaction: WholeTransaction, rules: readonly HoldRule[]) {
  const { accountId, transactionId, senderId } = transaction;
  const fundedAt = present(transaction.fundedAt, 'when a transaction was funded that is looked at for holds');
  const types = rules
    .filter((rule) => isInScope(rule, accountId) && ['count', 'first'].includes(rule.criterion.kind))
    .map((rule) => rule.payoutType);
  return [...new Set(types)].map((payoutType) => ({ accountId, transactionId, senderId, fundedAt, payoutType }));
}

export class HoldDesk {
  readonly #ctx: HoldContext;
  readonly #loaded: Loaded;
  readonly #holds = new Map<string, Hold>();
  readonly #added = new Set<string>();
  readonly #decided = new Set<string>();

  constructor(ctx: HoldContext, loaded: Loaded) {
    this.#ctx = ctx;
    this.#loaded = loaded;
    for (const hold of loaded.holds) this.#holds.set(hold.holdId, hold);
  }

  /** All of them, the ended ones too. */
  of({ accountId, transactionId }: TransactionKey): Hold[] {
    return [...this.#holds.values()].filter(
      (hold) => hold.transactionId === transactionId && hold.accountId === accountId,
    );
  }

  open(key: TransactionKey): Hold[] {
    return this.of(key).filter((hold) => hold.decision === null);
  }

  /** Puts a transaction under review, or lets it go on, as its rules and its sender ask for now. */
  review(desk: TransactionDesk, key: TransactionKey): void {
    const transaction = desk.current(key);
    const isHeld = transaction.state === 'processing';
    const mayHold = transactionTable.move(transaction.state, 'hold') !== undefined;
    if (transaction.fundedAt === null || !(isHeld || mayHold)) return;
    this.#reviewSender(desk, transaction);
    const matched = this.#match(transaction);
    if (matched.length > 0) this.#add(desk, transaction, 'rules', matched);
    const isOpen = this.open(key).length > 0;
    if (isOpen && !isHeld) desk.move(key.transactionId, 'hold');
    // What an operator canceled stays until its providers have said what became of it.
    const isCanceled = this.of(key).some(({ decision }) => decision?.what === 'canceled');
    if (isHeld && !isOpen && !isCanceled) desk.move(key.transactionId, 'release');
  }

  /** Ends those that are open, for that reason alone where one is given. */
  decide(key: TransactionKey, decision: HoldDecision, reason?: Hold['reason']): void {
    for (const hold of this.open(key)) {
      if (reason !== undefined && hold.reason !== reason) continue;
      this.#holds.set(hold.holdId, { ...hold, decision });
      this.#decided.add(hold.holdId);
    }
  }

  async write(tx: Tx): Promise<void> {
    const pick = (ids: Iterable<string>) => [...ids].map((id) => present(this.#holds.get(id), 'hold at the desk'));
    // One statement after the other: an index allows one open hold for each reason.
    await updateDecided(tx, pick([...this.#decided].filter((id) => !this.#added.has(id))));
    await insertHolds(tx, pick(this.#added));
  }

  #reviewSender(desk: TransactionDesk, transaction: WholeTransaction): void {
    const { sender } = transaction;
    if (isBarred(sender) && !this.#wasReleased(transaction) && waitsToBeSent(transaction)) {
      this.#add(desk, transaction, 'sender', []);
    }
    if (canTransact(sender.state)) {
      this.decide(transaction, { what: 'released', at: desk.now, by: null, reason: null }, 'sender');
    }
  }

  /** Nobody approves a deleted sender again: what an operator has let go of is not held anew. */
  #wasReleased(transaction: WholeTransaction): boolean {
    const isByPeople = ({ reason, decision }: Hold) =>
      reason === 'sender' && decision?.what === 'released' && decision.by !== null;
    return isStranded(transaction) && this.of(transaction).some(isByPeople);
  }

  #add(desk: TransactionDesk, key: TransactionKey, reason: Hold['reason'], rules: readonly MatchedRule[]): void {
    if (this.open(key).some((hold) => hold.reason === reason)) return;
    const { accountId, transactionId } = key;
    const holdId = this.#ctx.ids.next();
    const hold: Hold = { accountId, transactionId, holdId, reason, rules, heldAt: desk.now, decision: null };
    this.#holds.set(holdId, hold);
    this.#added.add(holdId);
  }

  /** Once for each transaction, before the first of its payouts: what an operator has released is not held again. */
  #match(transaction: WholeTransaction): MatchedRule[] {
    const { rules, histories } = this.#loaded;
    if (rules.length === 0 || !isFirstLook(transaction)) return [];
    if (this.of(transaction).some(({ reason }) => reason === 'rules')) return [];
    const facts = holdFactsOf(this.#ctx.catalogue, transaction, (payoutType) =>
      present(histories.get(historyKey(transaction.transactionId, payoutType)), 'history of a sender'),
    );
    return matchRules(rules, facts).map((rule) => ({ rule_id: rule.ruleId, says: sayRule(rule) }));
  }
}
