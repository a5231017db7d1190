/** The names of payout and payin types: `NGN::Bank`, `<CURRENCY>::Balance`, and plain `BTC`. Spec: Payout method. */
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import type { CorridorKind } from './corridor.ts';

/** One file stands for the balances of all currencies. */
export const BALANCE_TYPE = '<CURRENCY>::Balance';

const CASH_ENDING = '::Cash';

const KINDS: ReadonlyMap<string, CorridorKind> = new Map([
  ['Bank', 'bank'],
  ['Mobile', 'mobile'],
  ['Cash', 'cash'],
]);

export interface TypeName {
  readonly currency: CurrencyCode;
  readonly kind: CorridorKind;
}

/** The parts of a type, or the reason why it is not one. */
export function readType(type: string): TypeName | { readonly says: string } {
  const [code, kindName, ...more] = type.split('::');
  if (!isCurrency(code)) return { says: `does not begin with a currency of the service (${code})` };
  if (kindName === undefined) return { currency: code, kind: 'crypto' };
  const kind = KINDS.get(kindName);
  if (kind === undefined || more.length > 0) return { says: `does not end in one of: ${[...KINDS.keys()].join(', ')}` };
  return { currency: code, kind };
}

/** Told by the name alone: also of a type whose file is gone. */
export function isCashType(type: string): boolean {
  return type.endsWith(CASH_ENDING);
}

/** The name that the file of a type has, without variant and ending: `ngn-bank`. */
export function fileStem(type: string): string {
  return type === BALANCE_TYPE ? 'balance' : type.toLowerCase().replace('::', '-');
}
