/** Currencies and payment methods on the wire. Spec: Currency rates, Payout method. Open points OP-29, OP-48. */
import { Type } from 'typebox';

const text = (description: string) => Type.String({ description });

const currency = {
  code: text('The currency code.'),
  name: text('Its name in English.'),
  symbol: text('Its sign.'),
  decimals: Type.Integer({ description: 'Decimal places of amounts that are asked for and paid out.' }),
  subunit_to_unit: text('Minor units in one unit.'),
  min: text('The least amount that the service handles.'),
  max: text('The largest amount that the service handles.'),
  usd_equivalent: Type.Union([Type.String(), Type.Null()], {
    description: 'What one unit is worth, at the mid rate; null when there is none.',
  }),
};

export const Currency = Type.Object(currency);

export const CurrencyRate = Type.Object({
  ...currency,
  rate: Type.Number({ description: 'Units of the payout currency for one unit of the input currency.' }),
  mtm_rate: Type.Number({ description: 'The same at the mid rate.' }),
  margin: Type.String({ description: 'The part of the mid rate that the service keeps.' }),
});

export const CurrencyWithRates = Type.Object({
  ...currency,
  opposites: Type.Array(CurrencyRate, { description: 'The currencies at the other end, each with its rate.' }),
});

export const CurrencyList = Type.Object({ object: Type.Array(Currency) });
export const ExchangeList = Type.Object({ object: Type.Array(CurrencyWithRates) });

export const PaymentMethod = Type.Object({
  type: text('The name of the type: NGN::Bank.'),
  details: Type.Array(Type.String(), { description: 'The names of its fields.' }),
  fields: Type.Object(
    {},
    { additionalProperties: true, description: 'Each field by name, with its form and allowed values.' },
  ),
  opposites: Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'Empty.' }),
});
export const PaymentMethodList = Type.Object({ object: Type.Array(PaymentMethod) });
