/** Where an account stands with one soft limit, the present call included. */
export interface Standing {
  readonly name: string;
  readonly allowed: number;
  readonly used: number;
  readonly resetsAtMs: number;
}

export function isOver({ used, allowed }: Standing): boolean {
  return used > allowed;
}

/** Calls that are still allowed. */
export function leftOf({ used, allowed }: Standing): number {
  return Math.max(0, allowed - used);
}
