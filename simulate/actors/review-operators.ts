/**
 * Operators who decide about people: senders in review are approved, rejected, banned, let in again; rules put payments
 * under review, which are let go or canceled. Two operators meet at the same sender now and then.
 */
import type { Chance } from '../chance.ts';
import type { Happening, Stage } from '../stage.ts';
import { listAt, textAt } from './answers.ts';
import { giveOrder, type Order } from './orders.ts';
import { decide } from './payin-operators.ts';

interface ReviewShape {
  readonly rounds: number;
  /** Rules that are there for a time. */
  readonly rules: number;
  readonly tenants: number;
  readonly forMs: number;
}

const MINUTE_MS = 60_000;
const WHY = { reason: 'looked at the papers' };
const LEAVES_PERCENT = 20;

export function drawReviewOperators(chance: Chance, { rounds, rules, tenants, forMs }: ReviewShape): Happening[] {
  return [
    ...Array.from({ length: rounds }, (_, number): Happening => {
      const own = chance.of(`round ${number}`);
      return {
        label: `round ${number} about senders`,
        atMs: Math.floor(((number + own.next()) / rounds) * forMs),
        start: (stage) => stage.world.spawn(`reviews ${number}`, () => goRound(stage, own)),
      };
    }),
    ...Array.from({ length: rules }, (_, number): Happening => {
      const own = chance.of(`rule ${number}`);
      const lengthMs = own.pick([10 * MINUTE_MS, 90 * MINUTE_MS]);
      const place = own.below(tenants);
      return {
        label: `rule ${number} for tenant ${place}`,
        atMs: own.below(forMs),
        start: (stage) => stage.world.spawn(`rule ${number}`, () => rule(stage, own, place, lengthMs)),
      };
    }),
  ];
}

async function goRound(stage: Stage, chance: Chance): Promise<void> {
  const reviews = await stage.operate('GET', '/operator/reviews');
  for (const item of listAt(reviews?.body, 'items')) {
    const id = textAt(item, 'sender_id');
    if (id === undefined || chance.percent(LEAVES_PERCENT)) continue;
    await decide(stage, chance, () => drawDecision(chance, id));
  }
  const shutOut = stage.promises.decided.filter(({ what }) => what === 'reject' || what === 'ban');
  for (const { subject } of shutOut) {
    if (chance.percent(30)) await decide(stage, chance, () => about(subject, chance.pick(['lift', 'lift', 'ban'])));
  }
  const held = await stage.operate('GET', '/operator/attention?state=processing');
  for (const item of listAt(held?.body, 'items')) {
    const id = textAt(item, 'transaction_id');
    if (id === undefined || chance.percent(LEAVES_PERCENT)) continue;
    await decide(stage, chance, () => {
      const what = chance.pick(['release', 'release', 'release', 'cancel']);
      return { path: `/operator/holds/${id}/${what}`, body: WHY };
    });
  }
}

/** Somebody looks at a sender on its own, and a colleague agrees: where it takes two, that is enough. */
export async function reviewSender(stage: Stage, chance: Chance, senderId: string): Promise<void> {
  const order = drawDecision(chance, senderId);
  await decide(stage, chance, () => order);
  if (order.path.endsWith('/approve')) await giveOrder(stage, { ...order, as: 'omar' });
}

function drawDecision(chance: Chance, senderId: string): Order {
  const what = chance.weighted([
    [75, 'approve'],
    [18, 'reject'],
    [7, 'ban'],
  ]);
  return about(senderId, what);
}

function about(senderId: string, what: string): Order {
  return { path: `/operator/senders/${senderId}/${what}`, body: WHY };
}

async function rule(stage: Stage, chance: Chance, place: number, lengthMs: number): Promise<void> {
  const accountId = stage.tenants[place]?.accountId ?? null;
  const criterion = chance.pick([
    { kind: 'first' },
    { kind: 'amount', amount: '50', currency: 'USD' },
    { kind: 'count', transactions: 2 },
  ]);
  const answer = await giveOrder(stage, {
    path: '/operator/hold-rules',
    body: { account_id: accountId, ...criterion },
  });
  const id = textAt(answer?.body, 'rule', 'id');
  await stage.world.sleep(lengthMs);
  if (id !== undefined) await giveOrder(stage, { method: 'DELETE', path: `/operator/hold-rules/${id}` });
}

/** At the end of a seed: everybody who waits is let in, and what is under review goes on. */
export async function decideEverything(stage: Stage): Promise<void> {
  for (let turn = 0; turn < LAST_TURNS; turn += 1) {
    const reviews = await stage.operate('GET', '/operator/reviews');
    for (const item of listAt(reviews?.body, 'items')) {
      const order = about(textAt(item, 'sender_id') ?? '', 'approve');
      await giveOrder(stage, order);
      // Where it takes two.
      await giveOrder(stage, { ...order, as: 'omar' });
    }
    const held = await stage.operate('GET', '/operator/attention?state=processing');
    for (const item of listAt(held?.body, 'items')) await letGo(stage, textAt(item, 'transaction_id') ?? '');
    await stage.world.sleep(MINUTE_MS);
  }
}

/** Lifted, checked, approved, released. */
const LAST_TURNS = 4;

async function letGo(stage: Stage, transactionId: string): Promise<void> {
  const path = `/operator/holds/${transactionId}`;
  const shown = await stage.operate('GET', path);
  const senderId = textAt(shown?.body, 'hold', 'sender_id') ?? '';
  const senderState = textAt(shown?.body, 'hold', 'sender_state') ?? '';
  if (senderState === 'rejected' || senderState === 'banned') await giveOrder(stage, about(senderId, 'lift'));
  else await giveOrder(stage, { path: `${path}/release`, body: WHY });
}
