/**
 * The payin methods of a new collection. Pure. Refuses with corridor_not_permitted and corridor_not_active.
 * Spec: Payin method (collections).
 */
import type { Account } from '../accounts/account.ts';
import type { CorridorSwitches } from '../corridors/switches.ts';
import { present } from '../kernel/assert.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { CREATION } from '../kernel/state-table.ts';
import type { Amount } from '../money/amount.ts';
import { NOT_PROMPTED, type PayinMethod } from '../payins/payin-method.ts';
import { payinMethodTable } from '../payins/states.ts';
import type { CreateCommand } from './create-command.ts';
import type { PayinDraft } from './draft-payins.ts';
import { shownAtOnce } from './payin-flow.ts';
import { whyClosed } from './why-closed.ts';

interface PayinFacts {
  readonly command: CreateCommand;
  readonly account: Account;
  readonly switches: CorridorSwitches;
  /** What the payer has to pay; undefined when that cannot be told, and nothing is created. */
  readonly due: Amount | undefined;
  readonly now: Date;
}

export function decidePayins(facts: PayinFacts): { payinMethods: PayinMethod[]; refusals: Refusal[] } {
  const { payins } = facts.command.draft;
  const refusals = payins.flatMap((draft, index) => {
    const closed = whyClosed(facts, { type: draft.corridor.type, direction: 'payin' });
    return closed ? [refuse(closed, 'payin_methods', index, 'type')] : [];
  });
  // What is off is said at its type, and of the object as a whole as well. Open point OP-77.
  if (refusals.some(({ code }) => code === 'corridor_not_active')) refusals.push(refuse('corridor_not_active'));
  return { payinMethods: payins.map((draft, index) => makePayin(facts, draft, index)), refusals };
}

function makePayin(facts: PayinFacts, draft: PayinDraft, index: number): PayinMethod {
  const { command, due, now } = facts;
  const { corridor, uxFlow, inDetails } = draft;
  return {
    accountId: command.call.accountId,
    payinMethodId: present(command.payinMethodIds[index], 'id of a payin method'),
    transactionId: command.transactionId,
    position: index,
    type: corridor.type,
    uxFlow,
    inDetails,
    outDetails: shownAtOnce(command, due, corridor, uxFlow),
    instructions: {},
    state: payinMethodTable.mustMove(CREATION, 'create'),
    stateReasonDetails: null,
    eventCount: 0,
    createdAt: now,
    ...NOT_PROMPTED,
  };
}
