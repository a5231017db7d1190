/**
 * Operators who decide about money of payers: accept or return what is in suspense, refund what was collected. Now and
 * then two of them decide on the same payment at once, alike or not, or one clicks twice.
 */
import type { Chance } from '../chance.ts';
import { type Happening, nextId, OPERATORS, type Stage } from '../stage.ts';
import { at, listAt, textAt } from './answers.ts';
import { giveOrder, type Order } from './orders.ts';

interface PayinRounds {
  readonly rounds: number;
  readonly forMs: number;
}

const WHY = { reason: 'the payer called' };
const SHOWN = { ...WHY, evidence: 'bank statement 17, line 3' };
const LEAVES_PERCENT = 40;
const REFUNDS_PERCENT = 15;

export function drawPayinOperators(chance: Chance, { rounds, forMs }: PayinRounds): Happening[] {
  return Array.from({ length: rounds }, (_, number): Happening => {
    const own = chance.of(number);
    return {
      label: `round ${number} about payins`,
      atMs: own.below(forMs),
      start: (stage) => stage.world.spawn(`payins ${number}`, () => goRound(stage, own)),
    };
  });
}

async function goRound(stage: Stage, chance: Chance): Promise<void> {
  const suspense = await stage.operate('GET', '/operator/payins/suspense');
  for (const payin of listAt(suspense?.body, 'payins')) {
    const id = textAt(payin, 'id');
    if (id === undefined || chance.percent(LEAVES_PERCENT)) continue;
    await decide(stage, chance, () =>
      chance.percent(50)
        ? { path: `/operator/payins/${id}/accept`, body: WHY }
        : { path: `/operator/payins/${id}/return`, body: SHOWN },
    );
  }
  const tenant = chance.pick(stage.tenants);
  const taken = await stage.operate('GET', `/operator/accounts/${tenant.accountId}/payins`);
  for (const payin of listAt(taken?.body, 'payins')) {
    const isCollected = textAt(payin, 'place') === 'held' && at(payin, 'resolution') === null;
    if (!isCollected || !chance.percent(REFUNDS_PERCENT)) continue;
    const path = `/operator/collections/${textAt(payin, 'transaction_id')}/refund`;
    await decide(stage, chance, () => ({ path, body: SHOWN }));
  }
}

/** By one operator, by one who clicks twice, or by two at once who may want different things. */
export async function decide(stage: Stage, chance: Chance, draw: () => Order): Promise<void> {
  const order = draw();
  const how = chance.weighted<'one' | 'twice' | 'two'>([
    [60, 'one'],
    [15, 'twice'],
    [25, 'two'],
  ]);
  if (how === 'one') {
    await giveOrder(stage, order);
    return;
  }
  const commandId = nextId(stage.world);
  const orders: Order[] =
    how === 'twice'
      ? [
          { ...order, commandId },
          { ...order, commandId },
        ]
      : [order, draw()];
  const [first, second] = OPERATORS;
  await Promise.all(
    orders.map((each, place) => giveOrder(stage, { ...each, as: how === 'two' && place === 1 ? second : first })),
  );
}
