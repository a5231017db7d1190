/** A sender as the program holds it. Spec: Sender. */
import type { SenderState } from './states.ts';

export type SenderType = 'person' | 'business';

export interface SenderKey {
  readonly accountId: string;
  readonly senderId: string;
}

export interface Sender extends SenderKey {
  readonly externalId: string | null;
  readonly type: SenderType;
  readonly state: SenderState;
  readonly stateReason: string | null;
  /** All further fields of the interface, by their names on the wire. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly eventCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
