/** What the cases of the kit are made of: how they call, and what they ask of the book. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Arranged, ask, type Move, SILENCE_MS, type Situation } from './situation.ts';

export interface KitCase {
  readonly when: Situation;
  readonly needs?: readonly Move[];
  readonly name: string;
  readonly check: (arranged: Arranged) => Promise<void>;
}

export const submit = ({ provider, order }: Arranged, limitMs?: number) =>
  ask((signal) => provider.submit(order, signal), limitMs);
export const status = ({ provider, order }: Arranged) => ask((signal) => provider.status(order, signal));
export const probe = ({ provider }: Arranged) =>
  ask(async (signal) => ({ kind: (await provider.probe(signal)) ? 'up' : 'down' }));
export const cancel = ({ provider, order }: Arranged, limitMs?: number) =>
  ask<{ readonly kind: string }>((signal) => provider.cancel?.(order, signal) ?? none(), limitMs);
export const update = ({ provider, order }: Arranged, limitMs?: number) =>
  ask<{ readonly kind: string }>((signal) => provider.update?.(order, signal) ?? none(), limitMs);

/** What the service takes it for when a provider cannot do it. */
async function none() {
  return { kind: 'refused' } as const;
}

export function expectPaidOnce({ timesPaid }: Arranged): void {
  if (timesPaid !== undefined) expect(timesPaid()).toBe(1);
}

export function expectNotPaid({ timesPaid }: Arranged): void {
  if (timesPaid !== undefined) expect(timesPaid()).toBe(0);
}

/** Sent, and nothing that was said allows to send it to somebody else. */
export async function expectUnknown(arranged: Arranged): Promise<void> {
  expect((await submit(arranged)).kind).toBe('unknown');
}

/** The time runs from the moment when the far end has the order, which on a busy machine may be late. */
export async function expectSilence({ provider, order, heard }: Arranged): Promise<void> {
  const caller = new AbortController();
  const answer = provider.submit(order, caller.signal).then(
    ({ kind }) => kind,
    () => 'unknown',
  );
  await Promise.race([answer, heard?.()]);
  await Promise.race([answer, sleep(SILENCE_MS)]);
  caller.abort();
  expect(await answer).toBe('unknown');
}
