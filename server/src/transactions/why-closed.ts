/** Whether an account may use a corridor for something new: permitted to it, and not switched off. Pure. */
import type { Account } from '../accounts/account.ts';
import type { Direction } from '../corridors/switch.ts';
import type { CorridorSwitches } from '../corridors/switches.ts';

interface WhoAsks {
  readonly account: Pick<Account, 'corridors'>;
  readonly switches: CorridorSwitches;
}

interface Way {
  readonly type: string;
  readonly direction: Direction;
  /** Into a balance: that is the account's own, and needs nobody's permission. */
  readonly isOwn?: boolean;
}

/** Undefined: it may. Open point OP-128. */
export function whyClosed(
  { account, switches }: WhoAsks,
  { type, direction, isOwn = false }: Way,
): 'corridor_not_permitted' | 'corridor_not_active' | undefined {
  const isPermitted = isOwn || account.corridors === null || account.corridors.includes(type);
  if (!isPermitted) return 'corridor_not_permitted';
  return switches.isActive(type, direction) ? undefined : 'corridor_not_active';
}
