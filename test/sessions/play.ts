/** Plays one schedule from its seed to its end, and tells what is wrong afterwards. */
import { afterAll } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import { openTestContext, type TestContext } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { NOON } from '../support/manual-clock.ts';
import { Chance } from './chance.ts';
import { lockFaults } from './lock-order.ts';
import type { Scene } from './scene.ts';
import { runSchedule } from './schedule.ts';
import { Session } from './session.ts';
import { deliver, engineOn } from './workers.ts';

/** One kind of schedule: what its sessions meet at, what they do there, and what holds whoever went first. */
export interface Plot<OfScene extends Scene, Step> {
  open(base: TestContext, chance: Chance, seed: number): Promise<Opened<OfScene, Step>>;
  take(ctx: TestContext, scene: OfScene, step: Step): Promise<void>;
  /** What the world does once the sessions have ended, so that everything can come to its end. */
  settle?(scene: OfScene): Promise<void>;
  /** What the log may tell of beside what it tells of every day: in the world of these schedules it is no fault. */
  readonly mayLog?: readonly string[];
  /** What is wrong while work may still be open; empty: nothing. */
  wrongAtAnyTime(db: Database, scene: OfScene): Promise<string[]>;
  wrongInTheEnd(db: Database, scene: OfScene): Promise<string[]>;
}

export interface Opened<OfScene extends Scene, Step> {
  readonly scene: OfScene;
  /** One for each session: two or three. */
  readonly programs: readonly (readonly Step[])[];
}

export interface Outcome {
  readonly wrong: readonly string[];
  readonly trace: readonly string[];
}

/** A quarter of a minute for each file; `npm run prove` runs many more. */
const SCHEDULES = Number(process.env['SESSION_SCHEDULES'] ?? 16);
const FIRST_SEED = Number(process.env['SESSION_SEED'] ?? 1);
export const SEEDS = Array.from({ length: SCHEDULES }, (_, index) => FIRST_SEED + index);
export const LIMIT_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** More than a delivery has attempts. */
const DELIVERY_ROUNDS = 60;

/** Call it at the top of a test file: everything is closed when that ends. */
export async function openStage() {
  const { db, url } = await freshDatabase();
  const logged: string[] = [];
  const ctx = await openTestContext({ db }, logged);
  const sessions = ['A', 'B', 'C'].map((name) => new Session(name, url));
  afterAll(() => Promise.all(sessions.map((session) => session.close())));

  async function play<OfScene extends Scene, Step>(plot: Plot<OfScene, Step>, seed: number): Promise<Outcome> {
    ctx.clock.set(NOON);
    const chance = new Chance(seed);
    const { scene, programs } = await plot.open(ctx, chance, seed);
    const playing = sessions.slice(0, programs.length);
    const trace: string[] = [];
    logged.length = 0;
    for (const [index, session] of playing.entries()) {
      const steps = present(programs[index], 'a program for each session');
      trace.push(`${session.name} is to ${JSON.stringify(steps, texts)}`);
      session.start(async () => {
        for (const step of steps) await plot.take({ ...scene.ctx, db: session.db }, scene, step);
      });
    }
    await runSchedule(playing, { chance, monitor: db, trace });
    const wrong = [
      ...playing.flatMap(faultsOf),
      ...logged.filter((line) => isFault(line, plot.mayLog)),
      ...(await plot.wrongAtAnyTime(db, scene)),
    ];
    // What is broken already does not always come to an end.
    if (wrong.length === 0) {
      await plot.settle?.(scene);
      await finish(db, scene);
      wrong.push(...(await plot.wrongInTheEnd(db, scene)));
    }
    await db.execute('update transactions set due_at = null, is_claimed = false where due_at is not null');
    await db.execute('update webhooks set deleted_at = $1::timestamptz', [NOON]);
    await db.execute('delete from hold_rules');
    return { wrong, trace };
  }
  return { play };
}

function faultsOf({ name, fault, deadlocks, transactions }: Session): string[] {
  return [
    ...(fault ? [`${name} got a fault: ${String(fault.fault)}`] : []),
    ...deadlocks.map(String),
    ...transactions.flatMap((each) => lockFaults(each).map((why) => `${name}: ${why}`)),
  ];
}

/** Workers tell nobody of a fault but the log. */
function isFault(line: string, mayLog: readonly string[] = []): boolean {
  const { level, message } = JSON.parse(line);
  return level !== 'info' && !mayLog.includes(message);
}

/** Lets a day pass, and everything that is due be done. */
async function finish(db: Database, scene: Scene): Promise<void> {
  const engine = engineOn(scene.ctx, scene);
  await engine.travel(DAY_MS + MINUTE_MS);
  await engine.close();
  for (let round = 0; round < DELIVERY_ROUNDS && (await isToBeDelivered(db, scene)); round += 1) {
    await deliver(scene.ctx, scene);
    scene.ctx.clock.advance(MINUTE_MS);
  }
}

async function isToBeDelivered(db: Database, { accountId }: Scene): Promise<boolean> {
  const rows = await db.query(
    `select 1 from webhook_deliveries where account_id = $1::uuid and state = 'waiting' limit 1`,
    [accountId],
  );
  return rows.length > 0;
}

/** Amounts are big integers, which JSON does not write. */
export function texts(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
