/**
 * Plants a second payment of one payout among four, lets the failing plan be made smaller, twice, and prints what is
 * left of it. A program of its own, because a simulation seals its process off from time.
 */
import { runSeed, type SeedResult } from '../../simulate/run-seed.ts';
import { shrink } from '../../simulate/shrink.ts';
import type { Happening } from '../../simulate/stage.ts';
import { openWorkshop } from '../../simulate/workshop.ts';
import { FOR_MS, fourPayouts, smallWorld } from './small-world.ts';

/** By the name under which its recipient is paid. */
const PAID_TWICE = 'L2R0';
/** However slow the machine is. */
const LIMIT_MS = 600_000;

const fault: Happening = {
  label: 'a payment goes out twice',
  atMs: FOR_MS - 1,
  start: ({ world }) => {
    for (const { order, provider, truth } of world.book.all()) {
      if (order.details['last_name'] !== PAID_TWICE) continue;
      world.book.enter(provider, { ...order, reference: `${order.reference}-again` }, truth);
    }
  },
};

const told = ({ violations, counts, hash }: SeedResult) => ({
  broken: violations[0]?.invariant,
  transactions: counts.transactions,
  hash,
});

const workshop = await openWorkshop();
const plan = smallWorld([...fourPayouts(), fault]);
const failed = await runSeed(workshop, plan);
const shrunk: object[] = [];
for (let turn = 0; turn < 2; turn += 1) {
  const { plan: small, result, runs } = await shrink(workshop, plan, failed, LIMIT_MS);
  shrunk.push({ happenings: small.happenings.map(({ label }) => label), runs, ...told(result) });
}
process.stdout.write(JSON.stringify({ whole: { happenings: plan.happenings.length, ...told(failed) }, shrunk }));
