/**
 * An attempt to pay a recipient. It is stored before the provider hears of it, with a reference of its own, so that it
 * can be asked about whatever happens afterwards. A provider pays one reference once.
 */
import { createHash } from 'node:crypto';
import { assert } from '../kernel/assert.ts';
import type { Clock } from '../kernel/clock.ts';
import { sureTime } from '../kernel/sure-time.ts';

export interface AttemptKey {
  readonly accountId: string;
  readonly attemptId: string;
}

export interface Attempt extends AttemptKey {
  readonly transactionId: string;
  readonly recipientId: string;
  /** Counted for each recipient, from 1. */
  readonly number: number;
  readonly provider: string;
  /** As they were sent: an edit comes into force with the next attempt. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly startedAt: Date;
  /** When somebody was last about to send it; null: nobody was yet. */
  readonly sentAt: Date | null;
  /** When the provider last said something; silence is measured from here. */
  readonly heardAt: Date | null;
  readonly asks: number;
  /** Null: not known. That is a state of its own. */
  readonly outcome: 'paid' | 'failed' | null;
  readonly code: string | null;
  /** Minor units of the output currency that the recipient got. */
  readonly paidAmount: bigint | null;
  readonly decidedBy: 'provider' | 'operator' | 'sandbox' | null;
  readonly evidence: string | null;
  readonly endedAt: Date | null;
  /** When its provider will have news of it although it has ended. */
  readonly newsAt: Date | null;
}

/**
 * From when on a provider that does not know the order proves that it was never taken: whoever was about to send it has
 * lost its lease, and nothing that was sent is still on its way. Null: it always did.
 */
export function settledAt({ sentAt }: Pick<Attempt, 'sentAt'>, waits: ArrivalWaits): Date | null {
  return sentAt && new Date(sentAt.getTime() + untilArrivedMs(waits));
}

/** The time to hold that against. */
export function openSureNow(clock: Clock, waits: ArrivalWaits): () => Date {
  return sureTime(clock, untilArrivedMs(waits));
}

interface ArrivalWaits {
  readonly leaseMs: number;
  readonly arrivesWithinMs: number;
}

function untilArrivedMs({ leaseMs, arrivesWithinMs }: ArrivalWaits): number {
  return leaseMs + arrivesWithinMs;
}

const UUID_BYTES = 16;
const HALF_UUID = 8;
const OF_OUR_OWN_KIND = 0x80;
const VERSION_BYTE = 6;

/**
 * The id of an attempt follows from its recipient, or of a prompt from its payin method, and its number. So a database
 * that was restored, and has forgotten an attempt, makes it under the same reference again, which its provider knows.
 * It begins as the id that it is made of does: those that come together lie together.
 */
export function attemptIdOf(ofId: string, number: number): string {
  return derivedId(ofId, String(number));
}

/** An id that follows from another one and a text, and begins as that one does. */
export function derivedId(id: string, text: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  assert(bytes.length === UUID_BYTES, 'an id is a UUID');
  const hash = createHash('sha256').update(`${id} ${text}`).digest();
  hash.copy(bytes, HALF_UUID, 0, HALF_UUID);
  // Version 8, whose bits mean what their maker says, and the variant of all UUIDs.
  bytes.writeUInt8((bytes.readUInt8(VERSION_BYTE) & 0x0f) | OF_OUR_OWN_KIND, VERSION_BYTE);
  bytes.writeUInt8((bytes.readUInt8(HALF_UUID) & 0x3f) | OF_OUR_OWN_KIND, HALF_UUID);
  return uuidOf(bytes);
}

const REFERENCE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Account and attempt in 43 characters that every provider takes, so that a callback names whose attempt it is about.
 */
export function referenceOf({ accountId, attemptId }: AttemptKey): string {
  return bytesOf(accountId + attemptId).toString('base64url');
}

export function readReference(reference: string): AttemptKey | undefined {
  if (!REFERENCE.test(reference)) return undefined;
  const bytes = Buffer.from(reference, 'base64url');
  return {
    accountId: uuidOf(bytes.subarray(0, UUID_BYTES)),
    attemptId: uuidOf(bytes.subarray(UUID_BYTES)),
  };
}

function bytesOf(uuids: string): Buffer {
  const bytes = Buffer.from(uuids.replaceAll('-', ''), 'hex');
  assert(bytes.length === 2 * UUID_BYTES, 'a reference is made of two ids');
  return bytes;
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
