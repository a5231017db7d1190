/** A sender as the program holds it. Spec: Sender. */
import type { Document } from '../documents/document.ts';
import type { SENDER_TYPES } from './choices.ts';
import type { SenderState } from './states.ts';

export type SenderType = (typeof SENDER_TYPES)[number];

/** What gives a sender work: its checks, or what a deletion leaves to do. */
export const DUE_REASONS = ['created', 'edited', 'lifted', 'lists', 'disabled'] as const;
export type DueReason = (typeof DUE_REASONS)[number];

export interface SenderDue {
  readonly at: Date;
  readonly for: DueReason;
}

export interface SenderKey {
  readonly accountId: string;
  readonly senderId: string;
}

export interface Sender extends SenderKey {
  readonly externalId: string | null;
  readonly type: SenderType;
  readonly state: SenderState;
  readonly stateReason: string | null;
  /** Of a deleted one: the state that it was in before. Null also for those that were deleted before this was kept. */
  readonly disabledFrom: SenderState | null;
  /** All further fields of the interface, by their names on the wire and in the order of senders/fields.ts. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** In the order in which they were attached. */
  readonly documents: readonly Document[];
  readonly eventCount: number;
  /** Its next work; null: none. The row is the job. */
  readonly due: SenderDue | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What one sender may have. Open point OP-108. */
export const MAX_SENDER_DOCUMENTS = 20;
export const MAX_SENDER_DOCUMENT_BYTES = 50 * 1024 * 1024;
