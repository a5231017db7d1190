/**
 * Time travel in the sandbox: the clock goes from due time to due time, and waits at each until what was due has
 * happened, so that what was due earlier happens earlier. Open point OP-152.
 */
import type { Context } from '../context.ts';
import type { Queryable } from '../kernel/database.ts';
import type { ClockPosition, MovingClock } from '../kernel/moving-clock.ts';
import { moveClock, readAgenda, readClock } from './travel-store.ts';

/** Other work with times of its own, for example deliveries. */
interface OtherAgenda {
  /** When is the next one due? */
  nextAt(): Promise<Date | null>;
  /** Whether something is being done, under a lease that must not be overtaken. */
  isUnderWay(): Promise<boolean>;
}

export interface TravelParts {
  readonly ctx: Pick<Context, 'db' | 'wake'>;
  readonly clock: MovingClock;
  readonly otherAgendas: readonly OtherAgenda[];
  readonly pause: (delayMs: number) => Promise<void>;
  /** Asked after each step: whether it may go on. */
  readonly hasTime: () => boolean;
}

/** Farther than anything of ours is ever scheduled, and short of what dates can hold. */
export const MAX_TRAVEL_MS = 366 * 86_400_000;

/** How often it looks whether the work of a step is done, and how long it waits for it at most. */
const LOOK_EVERY_MS = 4;
const MAX_WAIT_MS = 3_000;
/**
 * How long it waits on the whole way for other work: a receiver that never answers must not hold it up at each step.
 */
const MAX_WAIT_FOR_OTHERS_MS = 3_000;
/** Stops exactly at this many times; beyond that it takes steps that grow, so that a crowded day ends as well. */
const EXACT_STEPS = 200;
const FIRST_STRIDE_MS = 1_000;

/** Where the clock stands, for a process that follows it. */
export function clockPosition(db: Queryable): Promise<ClockPosition> {
  return readClock(db);
}

/** How much of the way is left: with much to do on it, its time may be over before it has arrived. */
export async function travel(parts: TravelParts, byMs: number): Promise<number> {
  const { clock, hasTime } = parts;
  await moveTo(parts, { ...(await readClock(parts.ctx.db)), isTravelling: true });
  const target = clock.now().getTime() + byMs;
  const patience = { leftMs: MAX_WAIT_FOR_OTHERS_MS };
  try {
    for (let step = 0; clock.now().getTime() < target; step += 1) {
      const next = await nextStop(parts, target, strideMs(step));
      const ahead = Math.max(0, next - clock.now().getTime());
      await moveTo(parts, { offsetMs: clock.position.offsetMs + ahead, isTravelling: true });
      await untilIdle(parts, patience);
      if (!hasTime()) break;
    }
    return Math.max(0, target - clock.now().getTime());
  } finally {
    await moveTo(parts, { ...clock.position, isTravelling: false });
  }
}

function strideMs(step: number): number {
  return step < EXACT_STEPS ? 0 : FIRST_STRIDE_MS * 2 ** Math.floor((step - EXACT_STEPS) / EXACT_STEPS);
}

async function nextStop({ ctx, otherAgendas }: TravelParts, target: number, stride: number): Promise<number> {
  const agenda = await readAgenda(ctx.db);
  const times = [agenda.nextAt, ...(await Promise.all(otherAgendas.map((other) => other.nextAt())))];
  const stops = times.flatMap((time) => (time === null ? [] : [time.getTime() + stride]));
  return Math.min(target, ...stops);
}

/** Sets the row, tells every process, and moves our own clock at once. */
async function moveTo({ ctx, clock }: TravelParts, position: MovingClock['position']): Promise<void> {
  await ctx.db.inTx((tx) => moveClock(tx, position));
  clock.moveTo(position);
  ctx.wake.wake('clock');
}

/** Bounded: work that hangs must not hold up the clock. */
async function untilIdle(
  { ctx, clock, pause, otherAgendas }: TravelParts,
  patience: { leftMs: number },
): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += LOOK_EVERY_MS) {
    const { nextAt, isBusy } = await readAgenda(ctx.db);
    if (!isBusy && (nextAt === null || nextAt > clock.now())) break;
    await pause(LOOK_EVERY_MS);
  }
  while (patience.leftMs > 0 && (await isAnyUnderWay(otherAgendas))) {
    patience.leftMs -= LOOK_EVERY_MS;
    await pause(LOOK_EVERY_MS);
  }
}

async function isAnyUnderWay(agendas: readonly OtherAgenda[]): Promise<boolean> {
  return (await Promise.all(agendas.map((agenda) => agenda.isUnderWay()))).includes(true);
}
