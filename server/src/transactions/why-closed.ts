/** Whether an account may use a corridor for something new: permitted to it, and not switched off. Pure. */
import { type Account, mayUse } from '../accounts/account.ts';
import type { Direction } from '../corridors/switch.ts';
import type { CorridorSwitches } from '../corridors/switches.ts';

interface WhoAsks {
  readonly account: Pick<Account, 'corridors'>;
  readonly switches: CorridorSwitches;
}

interface Way {
  readonly type: string;
  readonly direction: Direction;
  /** Into a balance. */
  readonly isOwn?: boolean;
}

/** Undefined: it may. */
export function whyClosed(
  { account, switches }: WhoAsks,
  way: Way,
): 'corridor_not_permitted' | 'corridor_not_active' | undefined {
  if (!mayUse(account, way)) return 'corridor_not_permitted';
  return switches.isActive(way.type, way.direction) ? undefined : 'corridor_not_active';
}
