/** A process that runs seeds for another one (jobs.ts): it is given one at a time, and reports it. */
import { reportOf, type SeedTask } from './report.ts';
import { openWorkshop } from './workshop.ts';

const workshop = await openWorkshop();
process.on('message', (task: SeedTask) => {
  void reportOf(workshop, task).then((report) => process.send?.(report));
});
// Nobody is left to run seeds for.
process.on('disconnect', () => process.exit());
