/** Runs the given seeds one after the other in this process and prints the hash of each. */
import { drawPlan } from '../../simulate/plan.ts';
import { runSeed } from '../../simulate/run-seed.ts';
import { openWorkshop } from '../../simulate/workshop.ts';

const workshop = await openWorkshop();
for (const seed of process.argv.slice(2).map(Number)) {
  const { hash, trace } = await runSeed(workshop, drawPlan(seed));
  process.stdout.write(`seed ${seed}: ${trace.count} lines, hash ${hash}\n`);
}
