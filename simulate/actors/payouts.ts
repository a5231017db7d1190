/**
 * Callers who pay out: quoted or not, created and funded at once or later, clicked twice, edited, canceled, read. Each
 * life of a transaction is drawn from a stream of its own, whole, before anything runs.
 */
import type { Chance } from '../chance.ts';
import type { Happening, Stage } from '../stage.ts';
import { at, listAt, textAt } from './answers.ts';
import { payoutBody, type RecipientWish, senderCalled } from './bodies.ts';
import { Caller } from './caller.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface PayoutShape {
  readonly tenants: number;
  readonly lives: number;
  readonly forMs: number;
  /** So many of a hundred do more than pay. */
  readonly restless: number;
  readonly cashPercent: number;
}

interface Life {
  readonly tenant: number;
  readonly number: number;
  readonly way: 'create_and_fund' | 'create, fund' | 'create only' | 'fund twice at once';
  readonly isQuoted: boolean;
  readonly clicks: number;
  readonly fundAfterMs: number;
  readonly inputCurrency: string;
  readonly sender: string;
  readonly recipients: readonly RecipientWish[];
  readonly later: readonly LaterStep[];
}

interface LaterStep {
  readonly afterMs: number;
  readonly does: 'cancel' | 'cancel twice at once' | 'edit' | 'read';
  readonly recipient: number;
}

export function drawPayouts(chance: Chance, shape: PayoutShape): Happening[] {
  return Array.from({ length: shape.lives }, (_, number) => {
    const own = chance.of(number);
    const life = drawLife(own, shape, number);
    const atMs = Math.floor(((number + own.next()) / shape.lives) * shape.forMs);
    const label = `L${number} of tenant ${life.tenant}: ${life.way}`;
    return { label, atMs, start: (stage) => stage.world.spawn(label, () => live(stage, life)) };
  });
}

function drawLife(chance: Chance, { tenants, restless, cashPercent }: PayoutShape, number: number): Life {
  const isRestless = chance.percent(restless);
  const isCash = chance.percent(cashPercent);
  const count = chance.weighted([
    [80, 1],
    [15, 2],
    [5, 3],
  ]);
  return {
    tenant: chance.below(tenants),
    number,
    way: isRestless
      ? chance.pick(['create_and_fund', 'create, fund', 'create only', 'fund twice at once'])
      : chance.pick(['create_and_fund', 'create, fund']),
    isQuoted: chance.percent(20),
    clicks: isRestless && chance.percent(25) ? 2 : 1,
    fundAfterMs: chance.pick([
      0,
      1_000,
      MINUTE_MS,
      isRestless ? 59 * MINUTE_MS : MINUTE_MS,
      isRestless ? 61 * MINUTE_MS : 0,
    ]),
    inputCurrency: chance.pick(['USD', 'USD', 'EUR']),
    sender: `sender-${chance.below(5)}`,
    recipients: Array.from({ length: count }, (_, place) => ({
      isCash,
      amount: (chance.between(100, 50_000) / 100).toFixed(2),
      lastName: `L${number}R${place}`,
    })),
    later: isRestless ? drawLater(chance, count) : [],
  };
}

function drawLater(chance: Chance, recipients: number): LaterStep[] {
  return Array.from({ length: chance.between(0, 4) }, () => ({
    afterMs: chance.pick([0, 500, 5_000, MINUTE_MS, 20 * MINUTE_MS, 5 * HOUR_MS]),
    does: chance.pick(['cancel', 'cancel twice at once', 'edit', 'edit', 'read']),
    recipient: chance.below(recipients),
  }));
}

async function live(stage: Stage, life: Life): Promise<void> {
  const { world } = stage;
  const tenant = stage.tenants[life.tenant];
  if (!tenant) return;
  const caller = new Caller(stage, tenant, `L${life.number}`);
  const externalId = `life-${life.number}`;
  const body = payoutBody({ ...life, externalId, sender: senderCalled(life.sender) });
  if (life.isQuoted) await caller.call('POST', '/v1/transactions/calculate', body);
  const isAtOnce = life.way === 'create_and_fund';
  const clicks = Array.from({ length: life.clicks }, () => caller.make(body.transaction, isAtOnce));
  const transaction = (await Promise.all(clicks)).find((each) => each !== undefined);
  const id = textAt(transaction, 'id');
  if (id === undefined) return;
  if (life.way === 'create, fund' || life.way === 'fund twice at once') {
    await world.sleep(life.fundAfterMs);
    const times = life.way === 'fund twice at once' ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => caller.debit([id])));
  }
  const recipientIds = listAt(transaction, 'recipients').map((each) => textAt(each, 'id') ?? '');
  for (const step of life.later) await doLater(caller, step, { id, recipientId: recipientIds[step.recipient] ?? '' });
}

async function doLater(
  caller: Caller,
  { afterMs, does }: LaterStep,
  { id, recipientId }: { readonly id: string; readonly recipientId: string },
): Promise<void> {
  await caller.stage.world.sleep(afterMs);
  switch (does) {
    case 'read':
      await caller.call('GET', `/v1/transactions/${id}`);
      return;
    case 'edit':
      return edit(caller, recipientId);
    case 'cancel':
      return cancel(caller, recipientId);
    case 'cancel twice at once':
      await Promise.all([cancel(caller, recipientId), cancel(caller, recipientId)]);
  }
}

export async function cancel(caller: Caller, recipientId: string): Promise<void> {
  const answer = await caller.call('DELETE', `/v1/recipients/${recipientId}`);
  if (answer?.status === 200) caller.stage.promises.canceled.add(recipientId);
}

async function edit(caller: Caller, recipientId: string): Promise<void> {
  const { world, promises } = caller.stage;
  const details = { first_name: world.draw('edits').pick(['Binta', 'Kofi', 'Ngozi', 'Moussa']) };
  const recipient = { payout_method: { details } };
  const answer = await promises.recipientDetails.edit(recipientId, details, () =>
    caller.call('PATCH', `/v1/recipients/${recipientId}`, { recipient }),
  );
  if (
    answer?.status === 200 &&
    at(answer.body, 'object', 'payout_method', 'details', 'first_name') !== details.first_name
  ) {
    world.violate('an answer shows what was done', `edit of ${recipientId}: ${JSON.stringify(answer.body)}`);
  }
}
