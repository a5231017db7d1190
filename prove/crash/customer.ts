/**
 * A customer who does what docs/integrating.md asks: after an answer that is lost, or that says that nothing is known,
 * it sends the same again until it knows. Creations are recognised by their external_id, debits by the transaction, so
 * that a second time does nothing; and a refusal that only a lost first time explains is taken for its answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { textAt, valueAt } from '../../test/service/calls.ts';
import type { Answer, SignedCaller } from '../../test/support/signed-caller.ts';
import type { Memory } from './memory.ts';
import type { Pulse } from './pulse.ts';

export interface CustomerParts {
  readonly key: string;
  readonly senders: readonly string[];
  readonly caller: SignedCaller;
  readonly memory: Memory;
  /** Beats when a change is acknowledged. */
  readonly accepted: Pulse;
}

/** An answer that is known, and whether an earlier one was not. */
export interface Known {
  readonly answer: Answer;
  readonly isRepeat: boolean;
}

/** Far above every outage that is made here; what takes longer is a fault. */
const MAX_INSIST_MS = 180_000;
const PAUSE_MS = 50;
/** Connections that break, or cannot be had. */
const LOST = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);
/** Each call has a connection of its own, so that the balancer gives it to whoever lives. */
const ALONE = { headers: { connection: 'close' } };

/** Until it is known what became of it. What no customer should ever see is thrown. */
export async function insist(
  { caller, memory, accepted }: CustomerParts,
  call: { readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; readonly path: string; readonly body?: unknown },
): Promise<Known> {
  const endMs = performance.now() + MAX_INSIST_MS;
  for (let isRepeat = false; performance.now() < endMs; isRepeat = true) {
    const beganAtMs = performance.now();
    const answer = await caller.send(call.method, call.path, call.body, ALONE).catch((fault: unknown) => {
      if (LOST.has(String(Reflect.get(Object(fault), 'code')))) return undefined;
      throw fault;
    });
    if (answer !== undefined && answer.status < 500) {
      if (call.method === 'GET') memory.reads += 1;
      else if (answer.status < 300) accepted.beat(beganAtMs);
      return { answer, isRepeat };
    }
    if (answer !== undefined && answer.status !== 503) {
      throw new Error(`${call.method} ${call.path} answered ${answer.status}: ${answer.text}`);
    }
    if (memory.isOver) break;
    memory.unanswered += 1;
    await sleep(PAUSE_MS);
  }
  throw new Error(`no answer to ${call.method} ${call.path}, ${MAX_INSIST_MS} ms at most`);
}

/** The transaction, new or, where an answer was lost, the one that is there already. */
export function createdOf({ answer, isRepeat }: Known): unknown {
  if (answer.status === 201) return valueAt(answer.body, 'object');
  const existing = valueAt(answer.body, 'meta', 'existing', 'transaction');
  if (isRepeat && answer.status === 422 && existing !== undefined) return existing;
  throw new Error(`a creation answered ${answer.status}: ${answer.text}`);
}

/** The one transaction of a double click: one of both creates it, the other is shown what is there. */
export function createdOnce(clicks: readonly Known[]): unknown {
  const [one, ...others] = clicks.map((known) => createdOf({ ...known, isRepeat: true }));
  const created = clicks.filter(({ answer }) => answer.status === 201).length;
  // Where an answer was lost, it may have been the one that told of the creation.
  const isLost = clicks.some(({ isRepeat }) => isRepeat);
  if (created > 1 || (created === 0 && !isLost)) throw new Error(`a double click created ${created} transactions`);
  const other = others.find((each) => textAt(each, 'id') !== textAt(one, 'id'));
  if (other !== undefined) throw new Error(`a double click has two: ${textAt(one, 'id')} and ${textAt(other, 'id')}`);
  return one;
}

/** Whether an error of the refusal is this word. */
export function isRefusedWith({ status, body }: Answer, word: string): boolean {
  if (status !== 422) return false;
  const lists = Object.values(Object(valueAt(body, 'errors'))).flat();
  return lists.some((error) => valueAt(error, 'error') === word);
}

export function expectStatus({ answer }: Known, status: number): void {
  if (answer.status !== status) throw new Error(`answered ${answer.status} in place of ${status}: ${answer.text}`);
}

export function recipientOf(transaction: unknown): string {
  return textAt(transaction, 'recipients', 0, 'id');
}
