/** Ledger balances as the API shows them. Spec: Account balance. Open points OP-10, OP-27, OP-46. */
import type { Static } from 'typebox';
import { assert } from '../../kernel/assert.ts';
import type { OwnBalance } from '../../ledger/own-balances.ts';
import { MAX_MINOR } from '../../money/amount.ts';
import { isCurrency } from '../../money/currencies.ts';
import { balanceToJsonNumber } from '../../money/format.ts';
import type { Balance } from '../schemas/balance.ts';

const PARTNER_MARK = '::';

/** Money that lies with a partner has a name of its own: USD::Partner. */
export function isPartnerName(currency: string): boolean {
  return currency.includes(PARTNER_MARK);
}

/**
 * What is funded has left the ledger's balance for `held`, so a balance shows what is not under way to a recipient.
 * Under partner names it is also told what will be left when the transactions that wait for their money are funded.
 */
export function balanceViews(
  balances: readonly OwnBalance[],
  pending: ReadonlyMap<string, bigint>,
): Static<typeof Balance>[] {
  return balances.map(({ currency, minor }) => ({
    amount: inMajorUnits(minor, currency),
    currency,
    ...(isPartnerName(currency) && {
      amount_after_pending: inMajorUnits(atLeastSmallest(minor - (pending.get(currency) ?? 0n)), currency),
    }),
  }));
}

/** What waits was asked for by callers, and there may be any number of them: no balance could cover it. */
function atLeastSmallest(minor: bigint): bigint {
  return minor < -MAX_MINOR ? -MAX_MINOR : minor;
}

function inMajorUnits(minor: bigint, name: string): number {
  const [code] = name.split(PARTNER_MARK);
  assert(isCurrency(code), `the ledger holds known currencies only, not ${name}`);
  return balanceToJsonNumber({ minor, currency: code });
}
