/**
 * Runs seeds in several processes at once. A seed does not depend on what its process ran before, so it does not matter
 * which one runs it; reports are given in the order of the seeds, whoever is done first.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { reportOf, type SeedReport, type SeedTask } from './report.ts';
import { openWorkshop } from './workshop.ts';

const JOB = fileURLToPath(new URL('job.ts', import.meta.url));

/** Calls back for each seed, in order. With one job everything happens in this process. */
export async function runTasks(
  tasks: Iterator<SeedTask>,
  jobs: number,
  onReport: (report: SeedReport) => void,
): Promise<void> {
  if (jobs > 1) return runApart(tasks, jobs, onReport);
  const workshop = await openWorkshop();
  for (let next = tasks.next(); next.done !== true; next = tasks.next()) {
    onReport(await reportOf(workshop, next.value));
  }
}

async function runApart(
  tasks: Iterator<SeedTask>,
  jobs: number,
  onReport: (report: SeedReport) => void,
): Promise<void> {
  const inOrder = new InOrder(onReport);
  await Promise.all(Array.from({ length: jobs }, () => work(tasks, inOrder)));
}

/** One seed after the other, as long as there are any; the process is started for the first. */
async function work(tasks: Iterator<SeedTask>, inOrder: InOrder): Promise<void> {
  let child: ChildProcess | undefined;
  try {
    for (let next = tasks.next(); next.done !== true; next = tasks.next()) {
      const place = inOrder.take();
      child ??= fork(JOB);
      inOrder.give(place, await run(child, next.value));
    }
  } finally {
    if (child?.connected) child.disconnect();
  }
}

function run(child: ChildProcess, task: SeedTask): Promise<SeedReport> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`the process of seed ${task.seed} ended with ${code}`));
    child.once('exit', fail);
    child.once('message', (report: SeedReport) => {
      child.off('exit', fail);
      resolve(report);
    });
    child.send(task);
  });
}

class InOrder {
  readonly #onReport: (report: SeedReport) => void;
  readonly #early = new Map<number, SeedReport>();
  #taken = 0;
  #given = 0;

  constructor(onReport: (report: SeedReport) => void) {
    this.#onReport = onReport;
  }

  take(): number {
    this.#taken += 1;
    return this.#taken - 1;
  }

  give(place: number, report: SeedReport): void {
    this.#early.set(place, report);
    for (let next = this.#early.get(this.#given); next; next = this.#early.get(this.#given)) {
      this.#early.delete(this.#given);
      this.#given += 1;
      this.#onReport(next);
    }
  }
}
