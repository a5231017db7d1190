/**
 * What a new transaction would be, or every reason why there is none. Pure. To the refusals of the draft it adds, in
 * the order of the specification's fields: taken (external_id), those of the sender, sender_not_approved, what the
 * corridor asks of the sender, wtr2_not_allowed, and those of decide-recipients.ts and decide-payins.ts. Spec:
 * endpoints 1 to 3, Transaction states (creation), Sender (WTR2), What the service does (5, 8).
 */
import type { Account } from '../accounts/account.ts';
import type { AmountBounds } from '../corridors/amount-bounds.ts';
import type { CorridorSwitches } from '../corridors/switches.ts';
import { UNFUNDED_EXPIRY_SECONDS } from '../kernel/limits.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { CREATION } from '../kernel/state-table.ts';
import { checkedSum } from '../money/amount.ts';
import type { SenderDecision } from '../senders/decide.ts';
import type { Sender } from '../senders/sender.ts';
import { canTransact } from '../senders/states.ts';
import type { CreateCommand } from './create-command.ts';
import { decidePayins } from './decide-payins.ts';
import { decideRecipients, type RateFacts } from './decide-recipients.ts';
import { senderDemands } from './sender-demands.ts';
import { transactionTable } from './states.ts';
import type { WholeTransaction } from './transaction.ts';

export interface CreateFacts {
  readonly command: CreateCommand;
  readonly account: Account;
  readonly sender: SenderDecision;
  readonly isExternalIdTaken: boolean;
  readonly rates: RateFacts;
  readonly switches: CorridorSwitches;
  readonly bounds: AmountBounds;
  readonly now: Date;
}

type CreateDecision =
  | { readonly kind: 'create'; readonly transaction: WholeTransaction }
  | { readonly kind: 'refuse'; readonly refusals: readonly Refusal[] };

/** The order in which faults are told: that of the specification's fields, then the transaction as a whole. */
const FIELD_ORDER = ['external_id', 'input_currency', 'sender', 'recipients', 'payin_methods', 'metadata', 'traits'];
const RECIPIENT_ORDER = ['type', 'requested_amount', 'requested_currency', 'payout_method', 'metadata'];
const METHOD_ORDER = ['type', 'details', 'metadata'];

export function decideCreate(facts: CreateFacts): CreateDecision {
  const { command, account, now } = facts;
  const { draft } = command;
  const { sender, refusals: senderRefusals } = decideSenderPart(facts);
  const recipients = decideRecipients(facts);
  const total = draft.inputCurrency && checkedSum(draft.inputCurrency, recipients.inputs);
  const payins = decidePayins({ due: total?.ok ? total.value : undefined, ...facts });
  const refusals = [
    ...draft.refusals,
    ...(facts.isExternalIdTaken ? [refuse('taken', 'external_id')] : []),
    ...senderRefusals,
    ...recipients.refusals,
    ...payins.refusals,
    ...(total && !total.ok ? total.refusals.map(({ code }) => refuse(code, 'recipients')) : []),
  ];
  if (refusals.length > 0) return { kind: 'refuse', refusals: inFieldOrder(refusals) };
  if (!sender || !draft.inputCurrency || !total?.ok) return { kind: 'refuse', refusals: [refuse('invalid')] };
  const move = canTransact(sender.state) ? 'create_approved' : 'create_waiting';
  return {
    kind: 'create',
    transaction: {
      accountId: account.accountId,
      transactionId: command.transactionId,
      externalId: draft.externalId,
      senderId: sender.senderId,
      state: transactionTable.mustMove(CREATION, move),
      stateReason: null,
      stateReasonDetails: null,
      inputCurrency: draft.inputCurrency,
      inputAmount: total.value.minor,
      paidAmount: 0n,
      isCollection: payins.payinMethods.length > 0,
      autoRefund: draft.autoRefund,
      accountValidation: draft.accountValidation ?? account.accountValidation,
      metadata: draft.metadata,
      eventCount: 1,
      createdAt: now,
      expiresAt: new Date(now.getTime() + UNFUNDED_EXPIRY_SECONDS * 1_000),
      fundedAt: null,
      sender,
      recipients: recipients.recipients,
      payinMethods: payins.payinMethods,
    },
  };
}

function decideSenderPart(facts: CreateFacts): { sender: Sender | undefined; refusals: Refusal[] } {
  const { sender: decision, command, account } = facts;
  // That the sender is missing altogether is said by the draft.
  if (command.draft.refusals.some(({ path }) => path[0] === 'sender' && path.length === 1)) {
    return { sender: undefined, refusals: [] };
  }
  if (decision.kind === 'unknown') return { sender: undefined, refusals: [refuse('not_found', 'sender', 'id')] };
  if (decision.kind === 'refused') {
    return { sender: undefined, refusals: decision.refusals.map(({ code, path }) => refuse(code, 'sender', ...path)) };
  }
  const { sender } = decision;
  const refusals = new Map<string, Refusal>();
  const add = (refusal: Refusal) => refusals.set(`${refusal.code} ${refusal.path.join('.')}`, refusal);
  if (!mayBeUsed(facts, sender)) add(refuse('sender_not_approved', 'sender'));
  for (const { code, path } of senderDemands(sender, command.draft.recipients, account.wtr2)) {
    add(refuse(code, 'sender', ...path));
  }
  return { sender, refusals: [...refusals.values()] };
}

/**
 * An account that does not check its senders itself needs one that exists and is approved; a payout at once does too.
 */
function mayBeUsed({ sender: decision, command, account }: CreateFacts, sender: Sender): boolean {
  if (sender.state === 'disabled') return false;
  if (!account.fullKyc && decision.kind === 'created') return false;
  return canTransact(sender.state) || (account.fullKyc && !command.isFunded);
}

/** Recipients one after the other, each in the order of its own fields. What is equal stays as it came. */
function inFieldOrder(refusals: readonly Refusal[]): Refusal[] {
  const placed = refusals.map((refusal) => ({ refusal, place: placeOf(refusal) }));
  placed.sort((left, right) => {
    const differing = left.place.findIndex((each, index) => each !== right.place[index]);
    return differing === -1 ? 0 : (left.place[differing] ?? 0) - (right.place[differing] ?? 0);
  });
  return placed.map(({ refusal }) => refusal);
}

function placeOf({ path: [first, index, field, part] }: Refusal): number[] {
  const top = placeAmong(FIELD_ORDER, first);
  if (first !== 'recipients' || typeof index !== 'number') return [top, Number.MAX_SAFE_INTEGER, 0, 0];
  const inMethod = field === 'payout_method' ? placeAmong(METHOD_ORDER, part) : 0;
  return [top, index, placeAmong(RECIPIENT_ORDER, field), inMethod];
}

/** What is not a field of the object is about the object as a whole, and comes last. */
function placeAmong(order: readonly string[], field: string | number | undefined): number {
  const place = order.indexOf(String(field));
  return place === -1 ? order.length : place;
}
