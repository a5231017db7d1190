/**
 * Events as they happen, for `payferry listen`: a customer's developer without a public address reads them from the
 * operator API, each with a body and headers that are signed for the address to which it will be forwarded. The secret
 * stays here. Sandbox only. Open point OP-121.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readSigningKey } from '../accounts/signing-keys.ts';
import type { Context } from '../context.ts';
import { formatVersion7 } from '../kernel/ids.ts';
import type { StoredEvent } from './delivery.ts';
import { descriptorsFor, envelopeOf } from './envelope.ts';
import { listEventsAfter } from './event-store.ts';
import { signedHeaders } from './send.ts';

interface ListenWish {
  readonly accountId: string;
  /** The id of an event: only later ones are given. */
  readonly after: string;
  readonly waitMs: number;
  /** The address to sign for; null when nothing is forwarded. */
  readonly forwardTo: string | null;
  /** By which to sign; its successor when it was replaced. */
  readonly key: string;
  readonly isOver: () => boolean;
}

export interface HeardEvent {
  readonly event: StoredEvent;
  readonly body: string;
  /** Null when nothing is forwarded, or when no key of the account is good. */
  readonly headers: Readonly<Record<string, string>> | null;
}

/** Stands where the id of a webhook stands: none was registered for this. Receivers in typed languages read an id. */
const LISTENER = '00000000-0000-0000-0000-000000000000';
const MAX_HEARD = 100;
/** Shorter than what a stopping process waits. */
const MAX_LISTEN_WAIT_MS = 5_000;
const LOOK_EVERY_MS = 200;

type ListenContext = Pick<Context, 'db' | 'seal' | 'clock' | 'ids'>;

/** Waits for a while if there are none. */
export async function hearEvents(ctx: ListenContext, wish: ListenWish): Promise<HeardEvent[]> {
  const endMs = performance.now() + Math.min(wish.waitMs, MAX_LISTEN_WAIT_MS);
  for (;;) {
    const heard = await readNow(ctx, wish);
    if (heard.length > 0 || performance.now() >= endMs || wish.isOver()) return heard;
    await sleep(LOOK_EVERY_MS);
  }
}

function readNow({ db, seal, clock, ids }: ListenContext, wish: ListenWish): Promise<HeardEvent[]> {
  const { accountId, after, forwardTo, key } = wish;
  return db.inTx(async (tx) => {
    const events = await listEventsAfter(tx, { accountId, after, limit: MAX_HEARD });
    if (events.length === 0) return [];
    const descriptors = await descriptorsFor(tx, events);
    const signer = await readSigningKey(tx, seal, { accountId, key }, clock.now());
    return events.map((event) => {
      const body = envelopeOf(LISTENER, event, descriptors);
      const isSigned = forwardTo !== null && signer !== undefined;
      const headers = isSigned ? signedHeaders({ url: forwardTo, body, signer, nonce: ids.next() }) : null;
      return { event, body, headers };
    });
  });
}

/** An id before all those of this moment: ids begin with the time. */
export function idBefore(at: Date): string {
  return formatVersion7(new Uint8Array(16), at.getTime());
}
