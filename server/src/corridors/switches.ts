/**
 * Which corridors, and which of their providers, are switched off. Operators switch while the service runs; every
 * process keeps a copy, reads it again when it is woken, and looks by itself every few seconds. Whoever decides asks
 * that copy: what is committed within these seconds may still go by the earlier word. Open points OP-77 and OP-126.
 */
import { BrokenInvariant } from '../kernel/assert.ts';
import type { Database, Tx } from '../kernel/database.ts';
import type { Log } from '../kernel/log.ts';
import type { Wake } from '../kernel/wake.ts';
import { WorkLoop } from '../kernel/work-loop.ts';
import type { Direction, SwitchedOff, SwitchName } from './switch.ts';
import { deleteSwitch, insertSwitch, lockSwitch, readSwitches } from './switch-store.ts';

/** What is asked before a payout or a payin. Payouts are meant where no direction is named. */
export interface CorridorSwitches {
  isActive(type: string, direction?: Direction): boolean;
  /** False also when the corridor as a whole is off. */
  isProviderActive(type: string, provider: string, direction?: Direction): boolean;
}

/** The copy of a running process. */
export interface KeptSwitches extends CorridorSwitches {
  /** Reads them now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** How long a process may go by an earlier word when the wake-up of another one is lost. */
const LOOK_EVERY_MS = 2_000;
/** Two operators who contradict each other so often within a moment are no operators. */
const MAX_ATTEMPTS = 10;

export function switchesFrom(off: readonly SwitchName[]): CorridorSwitches {
  const names = new Set(off.map(nameOf));
  const isActive = (type: string, direction: Direction = 'payout') =>
    !names.has(nameOf({ direction, type, provider: undefined }));
  return {
    isActive,
    isProviderActive: (type, provider, direction = 'payout') =>
      isActive(type, direction) && !names.has(nameOf({ direction, type, provider })),
  };
}

/** Everything is on. For the docs and for tests that are about something else. */
export const ALL_ACTIVE: CorridorSwitches = switchesFrom([]);

/** Reads them once, so that the first caller meets the right ones, and then keeps them current until closed. */
export async function openSwitches(ctx: {
  readonly db: Database;
  readonly wake: Wake;
  readonly log: Log;
}): Promise<KeptSwitches> {
  let current = ALL_ACTIVE;
  const refresh = async () => {
    current = switchesFrom(await ctx.db.inTx(readSwitches));
  };
  await refresh();
  const turns = ctx.log.turnsOf('corridor switches (the earlier ones hold)');
  const loop = new WorkLoop({
    turn: turns.follow(async () => {
      await refresh();
      return false;
    }),
    pollMs: LOOK_EVERY_MS,
    onFault: turns.failed,
  });
  const stopHearing = ctx.wake.on('corridors', () => loop.wake());
  loop.start();
  return {
    isActive: (type, direction) => current.isActive(type, direction),
    isProviderActive: (type, provider, direction) => current.isProviderActive(type, provider, direction),
    refresh,
    close: async () => {
      stopHearing();
      await loop.stop();
    },
  };
}

/** Everything that is off, for operators. */
export function switchedOff(tx: Tx): Promise<SwitchedOff[]> {
  return readSwitches(tx);
}

/** What was before; undefined: it was on. Switching off what is off changes nothing. */
export async function switchOff(tx: Tx, off: SwitchedOff): Promise<SwitchedOff | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (await insertSwitch(tx, off)) return undefined;
    const before = await lockSwitch(tx, off);
    if (before) return before;
    // Somebody switched it on between the two statements: now there is room for our row.
  }
  throw new BrokenInvariant('a switch that is neither there nor missing');
}

/** What was before; undefined: it was on, and nothing changes. */
export async function switchOn(tx: Tx, name: SwitchName): Promise<SwitchedOff | undefined> {
  const before = await lockSwitch(tx, name);
  if (before) await deleteSwitch(tx, name);
  return before;
}

function nameOf({ direction, type, provider }: SwitchName): string {
  return provider === undefined ? `${direction} ${type}` : `${direction} ${type} ${provider}`;
}
