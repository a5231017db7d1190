/** Currencies and payment methods on the wire. Spec: Currency rates, Payout method. Open points OP-29, OP-48. */
import { Type } from 'typebox';

const currency = {
  code: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Integer({ description: 'Decimal places of amounts that are asked for and paid out.' }),
  subunit_to_unit: Type.String(),
  min: Type.String(),
  max: Type.String(),
  usd_equivalent: Type.Union([Type.String(), Type.Null()], { description: 'What one unit is worth, at the mid rate.' }),
};

const Opposite = Type.Object({
  ...currency,
  rate: Type.Number({ description: 'Units of the payout currency for one unit of the input currency.' }),
  mtm_rate: Type.Number({ description: 'The same at the mid rate.' }),
  margin: Type.String({ description: 'The part of the mid rate that the service keeps.' }),
});

export const CurrencyList = Type.Object({ object: Type.Array(Type.Object(currency)) });
export const ExchangeList = Type.Object({
  object: Type.Array(Type.Object({ ...currency, opposites: Type.Array(Opposite) })),
});

const PaymentMethod = Type.Object({
  type: Type.String(),
  details: Type.Array(Type.String(), { description: 'The names of the fields.' }),
  fields: Type.Object({}, { additionalProperties: true }),
  opposites: Type.Array(Type.Object({}, { additionalProperties: true })),
});
export const PaymentMethodList = Type.Object({ object: Type.Array(PaymentMethod) });
