/** One switch: what it is about, and what is known of it while it is off. Open point OP-126. */
export const DIRECTIONS = ['payout', 'payin'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface SwitchName {
  readonly direction: Direction;
  readonly type: string;
  /** Undefined: the type as a whole. */
  readonly provider: string | undefined;
}

export interface SwitchedOff extends SwitchName {
  readonly since: Date;
  /** The name of the operator. */
  readonly by: string;
}
