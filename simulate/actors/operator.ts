/**
 * The operator: looks at what needs people, has it tried again, marks it as paid or failed when the provider's own book
 * proves it, and takes a provider out of service for a while. Each action is sent until it is heard, under one id.
 */
import type { Chance } from '../chance.ts';
import type { Happening, Stage } from '../stage.ts';
import { at, listAt, textAt } from './answers.ts';
import { giveOrder } from './orders.ts';

const MINUTE_MS = 60_000;

interface OperatorShape {
  readonly rounds: number;
  readonly holds: number;
  readonly forMs: number;
}

export function drawOperator(chance: Chance, { rounds, holds, forMs }: OperatorShape): Happening[] {
  return [
    ...Array.from({ length: rounds }, (_, number): Happening => {
      const own = chance.of(`round ${number}`);
      return {
        label: `round ${number} of the operator`,
        atMs: own.below(forMs),
        start: (stage) => stage.world.spawn(`round ${number}`, () => goRound(stage, own)),
      };
    }),
    ...Array.from({ length: holds }, (_, number): Happening => {
      const own = chance.of(`hold ${number}`);
      const lengthMs = own.pick([MINUTE_MS, 30 * MINUTE_MS]);
      return {
        label: `operator holds a provider for ${lengthMs / MINUTE_MS} minutes`,
        atMs: own.below(forMs),
        start: (stage) => stage.world.spawn(`hold ${number}`, () => hold(stage, own, lengthMs)),
      };
    }),
  ];
}

async function goRound(stage: Stage, chance: Chance): Promise<void> {
  const answer = await stage.operate('GET', '/operator/attention');
  for (const item of listAt(answer?.body, 'items')) {
    const recipientId = textAt(item, 'recipient_id');
    if (recipientId === undefined || chance.percent(40)) continue;
    await help(stage, chance, recipientId);
  }
}

const order = (stage: Stage, path: string, body?: unknown) => giveOrder(stage, { path, body });

async function help(stage: Stage, chance: Chance, recipientId: string): Promise<unknown> {
  const path = `/operator/recipients/${recipientId}`;
  // First what was tried, then what the provider has of it.
  const shown = await stage.operate('GET', path);
  const tried = listAt(shown?.body, 'attempts').at(-1);
  const attempt = at(tried, 'number');
  const entries = stage.world.book.of(recipientId);
  const last = entries.find(({ order: { reference } }) => reference === textAt(tried, 'reference'));
  // What contradicts itself, and what was paid in another amount, takes more than a word.
  const isPlain = !entries.some((entry) => entry.isContradicted);
  const isPaid = last?.truth.kind === 'paid' && last.truth.minor === last.order.amount.minor;
  if (isPlain && isPaid && chance.percent(50)) {
    return order(stage, `${path}/mark-paid`, { evidence: 'a line in the statement of the provider', attempt });
  }
  // Only where the book says so for good: an order that is still open may be paid.
  const isFailed = isPlain && last?.truth.kind === 'failed' && entries.every(({ truth }) => truth.kind === 'failed');
  if (isFailed && chance.percent(30)) {
    return order(stage, `${path}/mark-failed`, { evidence: 'said so by telephone', attempt });
  }
  return order(stage, `${path}/retry`);
}

async function hold(stage: Stage, chance: Chance, lengthMs: number): Promise<void> {
  const { name } = chance.pick(stage.world.providers);
  await order(stage, `/operator/providers/${name}/pause`);
  await stage.world.sleep(lengthMs);
  await order(stage, `/operator/providers/${name}/resume`);
}
