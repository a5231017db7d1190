/** The forms of the operator API's requests. A field that is not listed is refused: it is a mistyped one. */
import Type from 'typebox';
import { KYC_KINDS, MAX_ACCOUNT_NAME_CHARS } from '../accounts/account.ts';
import { MAX_LABEL_CHARS } from '../accounts/keys.ts';
import { DIRECTIONS } from '../corridors/switch.ts';
import { CURRENCIES, type CurrencyCode } from '../money/currencies.ts';
import { MAX_DECIMAL_CHARS } from '../money/parse.ts';
import { formed } from './forms.ts';

/**
 * Text that people wrote and people read: something to be seen, and no control characters, which the database would not
 * take. A reason or an evidence of spaces would be none.
 */
export const READABLE = '^(?![\\s\\p{C}]*$)[^\\u0000-\\u001f\\u007f]*$';
const MAX_CURRENCY_NAME_CHARS = 40;
/** Of a list that comes in pages. */
export const DEFAULT_PAGE = 100;

export const strict = { additionalProperties: false } as const;
export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: READABLE });
export const limit = Type.Optional(formed('pageSize'));

export const AuditParams = Type.Object({ audit_id: formed('uuid') });
export const AccountParams = Type.Object({ account_id: formed('uuid') });
export const KeyParams = Type.Object({ key: formed('apiKey') });
export const OperatorParams = Type.Object({ name: formed('operator') });
/** More types than there are, payins included. */
const MAX_CORRIDORS = 1_000;
export const CorridorParams = Type.Object({ type: formed('corridorType') });
export const CorridorQuery = Type.Object({ direction: Type.Optional(Type.Enum([...DIRECTIONS])) }, strict);
export const CurrencyParams = Type.Object({ currency: formed('currencyInPath') });

const terms = {
  full_kyc: Type.Optional(Type.Boolean()),
  kyc: Type.Optional(Type.Enum([...KYC_KINDS])),
  wtr2: Type.Optional(Type.Boolean()),
  negative_balance: Type.Optional(Type.Boolean()),
  account_validation: Type.Optional(Type.Boolean()),
  same_currency: Type.Optional(
    Type.Array(Type.Enum(CURRENCIES.map((currency): CurrencyCode => currency.code)), { maxItems: CURRENCIES.length }),
  ),
  /** Null: all of them. */
  corridors: Type.Optional(Type.Union([Type.Array(formed('corridorType'), { maxItems: MAX_CORRIDORS }), Type.Null()])),
};

export const NewAccountBody = Type.Object({ name: text(MAX_ACCOUNT_NAME_CHARS), ...terms }, strict);
export const AccountChangeBody = Type.Object(
  { name: Type.Optional(text(MAX_ACCOUNT_NAME_CHARS)), ...terms },
  { ...strict, minProperties: 1 },
);
export const AccountsQuery = Type.Object(
  { after: Type.Optional(formed('uuid', { description: 'The `next` of the page before.' })), limit },
  strict,
);
export const ReplaceKeyBody = Type.Object(
  {
    overlap: Type.Optional(formed('duration', { description: 'How long both keys work.' })),
  },
  strict,
);
export const NewKeyBody = Type.Object({ label: Type.Optional(text(MAX_LABEL_CHARS)) }, strict);
export const OpenBody = Type.Object({ currency: text(MAX_CURRENCY_NAME_CHARS) }, strict);
/** Amounts are read by money/parse.ts, which is the only way in. */
const move = {
  currency: text(MAX_CURRENCY_NAME_CHARS),
  amount: Type.Union([Type.String({ maxLength: MAX_DECIMAL_CHARS }), Type.Number()]),
};
const reference = formed('paymentReference');
export const MoveBody = Type.Object({ ...move, reference: Type.Optional(reference) }, strict);
export const SettleBody = Type.Object({ ...move, reference }, strict);
export const RateBody = Type.Object(
  { value: Type.String({ maxLength: MAX_DECIMAL_CHARS }), force: Type.Optional(Type.Boolean()) },
  strict,
);
export const SwitchBody = Type.Object(
  {
    active: Type.Boolean(),
    provider: Type.Optional(formed('provider')),
    direction: Type.Optional(Type.Enum([...DIRECTIONS])),
  },
  strict,
);
export const NewOperatorBody = Type.Object({ name: formed('operator') }, strict);
export const AuditQueryString = Type.Object(
  {
    operator: Type.Optional(text(100)),
    action: Type.Optional(text(100)),
    subject: Type.Optional(text(200)),
    /** The `next` of the page before. */
    before: Type.Optional(formed('next')),
    limit,
  },
  strict,
);
