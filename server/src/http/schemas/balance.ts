/** Spec: Account balance. Endpoints 10 and 11. */
import { Type } from 'typebox';

export const Balance = Type.Object({
  amount: Type.Number({ description: 'What the account owns and may spend.' }),
  currency: Type.String({ description: 'A currency code, or one with the name of a partner: USD::Partner.' }),
  amount_after_pending: Type.Optional(
    Type.Number({ description: 'Under partner names: less what waits to be funded. Open point OP-27.' }),
  ),
});

const BalanceMeta = Type.Object({
  negative_balance: Type.Boolean({ description: 'Whether the balance may go below zero.' }),
});

export const BalanceList = Type.Object({ meta: BalanceMeta, object: Type.Array(Balance) });
export const SingleBalance = Type.Object({ meta: BalanceMeta, object: Balance });

export const CurrencyParams = Type.Object({
  currency: Type.String({ description: 'In upper case; case matters.' }),
});
