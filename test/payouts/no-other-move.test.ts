/**
 * What does not move a payout: in each state everything that callers, providers and operators can do and that no row of
 * the tables has for it, one after the other, through HTTP. Nothing is stored, and no money moves.
 */
import { describe, expect, it } from 'vitest';
import { recipientTable } from '../../server/src/recipients/states.ts';
import { ledgerOf } from '../support/rows.ts';
import { debit } from '../support/transactions.ts';
import { FAILED, INTO, PAID, payoutIn, type State } from './payout-rows.ts';
import { openPeopledWorld } from './peopled-world.ts';
import type { Payout } from './world.ts';

const world = await openPeopledWorld();
const { db, engine } = world.app;
const EVIDENCE = { evidence: 'statement of 12 November, line 7' };
const WHY = { reason: 'looked at' };

type Act = (one: Payout) => Promise<number | undefined>;
const ordered =
  (what: string, body?: object): Act =>
  (one) =>
    world.order(`recipients/${one.recipientId()}/${what}`, body);
const told =
  (answer: Parameters<Payout['callback']>[0]): Act =>
  async (one) => {
    // Nobody answers about what was never sent.
    if ((await one.attempts()).length > 0) await one.callback(answer);
    return undefined;
  };

/** Everything that can be done to a payout, with the status of the answer where there is one. */
const ACTS = {
  cancel: async (one) => (await one.cancel()).status,
  edit: async (one) => (await one.edit({ last_name: 'Okafor' })).status,
  debit: async (one) => (await debit(one.account.caller, one.id)).status,
  payin: async (one) => (await one.account.caller.post(`/v1/transactions/${one.id}/payin`, {})).status,
  'told paid': told(PAID),
  'told failed': told(FAILED),
  'told pending': told({ kind: 'pending', code: '14' }),
  'told nothing': told({ kind: 'unknown', why: 'silence' }),
  retry: ordered('retry'),
  'mark paid': ordered('mark-paid', EVIDENCE),
  'mark failed': ordered('mark-failed', EVIDENCE),
  'settle part': ordered('settle-part', EVIDENCE),
  'operator cancels': ordered('cancel', WHY),
  release: (one) => world.order(`holds/${one.id}/release`, WHY),
  'cancel held': (one) => world.order(`holds/${one.id}/cancel`, WHY),
  refund: (one) => world.order(`collections/${one.id}/refund`, { ...WHY, ...EVIDENCE }),
} as const satisfies Record<string, Act>;
type ActName = keyof typeof ACTS;

interface Row {
  readonly state: State;
  /** What the tables have a row for; some other test shows it. */
  readonly moves: readonly ActName[];
  /** What is accepted and changes no state: kept in mind, repeated, or for the next attempt. */
  readonly accepted: readonly ActName[];
}

const ROWS: readonly Row[] = [
  { state: 'unfunded', moves: ['cancel', 'operator cancels', 'debit'], accepted: ['edit'] },
  { state: 'initial', moves: ['cancel', 'operator cancels'], accepted: ['edit'] },
  {
    state: 'pending',
    moves: ['told paid', 'told failed', 'mark paid', 'mark failed'],
    accepted: ['edit', 'cancel', 'operator cancels'],
  },
  { state: 'success', moves: ['told failed'], accepted: [] },
  { state: 'error', moves: ['cancel', 'operator cancels', 'told paid', 'mark paid', 'edit', 'retry'], accepted: [] },
  { state: 'manual', moves: ['cancel', 'operator cancels', 'told paid', 'mark paid', 'edit', 'retry'], accepted: [] },
  {
    state: 'stuck',
    moves: ['told paid', 'told failed', 'mark paid', 'mark failed'],
    accepted: ['edit', 'cancel', 'operator cancels'],
  },
  { state: 'overpaid', moves: ['told failed'], accepted: [] },
  { state: 'canceled', moves: [], accepted: ['cancel', 'operator cancels'] },
  { state: 'refunded', moves: ['told paid'], accepted: ['cancel', 'operator cancels'] },
  { state: 'exception', moves: ['mark paid', 'settle part'], accepted: [] },
];

const isAmong = (names: readonly string[], name: string) => names.includes(name);

/** How many moves were stored so far, and the books. */
async function standing(one: Payout) {
  const moves = await db.query('select of, old_state, new_state from moves_log where transaction_id = $1::uuid', [
    one.id,
  ]);
  const { accountId } = one.account;
  return { moves, usd: await ledgerOf(db, accountId, 'USD'), ngn: await ledgerOf(db, accountId, 'NGN') };
}

describe('nothing else moves a payout that is', () => {
  it.each(ROWS)('$state', async ({ state, moves, accepted }) => {
    const one = await payoutIn(world, state);
    const before = await standing(one);
    for (const [name, act] of Object.entries<Act>(ACTS)) {
      if (isAmong(moves, name)) continue;
      const status = await act(one);
      const expected = isAmong(accepted, name) ? 200 : 422;
      expect([name, status]).toEqual([name, status === undefined ? undefined : expected]);
      expect([name, await standing(one)]).toEqual([name, before]);
    }
    // What was only kept in mind is no move either, while the provider has nothing to say.
    if (state !== 'initial') await engine.run();
    expect(await standing(one)).toEqual(before);
  });

  it('in any state: each has a row', () => {
    expect(ROWS.map(({ state }) => state)).toEqual(Object.keys(INTO));
    const states = ROWS.map(({ state }) => state).filter((state) => state !== 'unfunded');
    expect(states.toSorted()).toEqual([...recipientTable.states].toSorted());
  });
});
