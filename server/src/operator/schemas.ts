/** The forms of the operator API's requests. A field that is not listed is refused: it is a mistyped one. */
import Type from 'typebox';
import { KYC_KINDS, MAX_ACCOUNT_NAME_CHARS } from '../accounts/account.ts';
import { MAX_LABEL_CHARS } from '../accounts/keys.ts';
import { OPERATOR_NAME } from '../accounts/operators.ts';
import { DIRECTIONS } from '../corridors/switch.ts';
import { CURRENCIES, type CurrencyCode } from '../money/currencies.ts';
import { MAX_DECIMAL_CHARS } from '../money/parse.ts';

/**
 * Text that people wrote and people read: something to be seen, and no control characters, which the database would not
 * take. A reason or an evidence of spaces would be none.
 */
export const READABLE = '^(?![\\s\\p{C}]*$)[^\\u0000-\\u001f\\u007f]*$';
export const READABLE_EXPECTS = 'must have a visible character, and no control characters';
const MAX_CURRENCY_NAME_CHARS = 40;
/** No blank at its ends: who writes the same reference again must mean the same settlement. */
const PAYMENT_REFERENCE = '^[^\\p{Cc}\\s]([^\\p{Cc}]{0,198}[^\\p{Cc}\\s])?$';
/** Of a list that comes in pages. */
export const DEFAULT_PAGE = 100;
const PAGE_SIZE = '^([1-9][0-9]?|[1-4][0-9][0-9]|500)$';
const UUID_TEXT = '[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}';
export const UUID = `^${UUID_TEXT}$`;
/** The `next` of the page before begins so: a time in milliseconds, and an id. */
export const CURSOR_START = `^[0-9]{1,15}_${UUID_TEXT}`;

export const strict = { additionalProperties: false } as const;
export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: READABLE });
export const limit = Type.Optional(Type.String({ pattern: PAGE_SIZE }));

export const AccountParams = Type.Object({ account_id: Type.String({ pattern: UUID }) });
export const KeyParams = Type.Object({ key: Type.String({ pattern: '^[!-~]{1,200}$' }) });
export const OperatorParams = Type.Object({ name: Type.String({ pattern: OPERATOR_NAME }) });
/** Enough for `NGN::Bank`, and for what somebody mistypes. */
const CORRIDOR_TYPE = '^[A-Za-z0-9:]{1,60}$';
/** More types than there are, payins included. */
const MAX_CORRIDORS = 1_000;
export const CorridorParams = Type.Object({ type: Type.String({ pattern: CORRIDOR_TYPE }) });
export const CorridorQuery = Type.Object({ direction: Type.Optional(Type.Enum([...DIRECTIONS])) }, strict);
export const CurrencyParams = Type.Object({ currency: Type.String({ pattern: '^[A-Za-z]{3,10}$' }) });

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
  corridors: Type.Optional(
    Type.Union([Type.Array(Type.String({ pattern: CORRIDOR_TYPE }), { maxItems: MAX_CORRIDORS }), Type.Null()]),
  ),
};

export const NewAccountBody = Type.Object({ name: text(MAX_ACCOUNT_NAME_CHARS), ...terms }, strict);
export const AccountChangeBody = Type.Object(
  { name: Type.Optional(text(MAX_ACCOUNT_NAME_CHARS)), ...terms },
  { ...strict, minProperties: 1 },
);
export const AccountsQuery = Type.Object(
  { after: Type.Optional(Type.String({ pattern: UUID, description: 'The `next` of the page before.' })), limit },
  strict,
);
export const ReplaceKeyBody = Type.Object(
  {
    overlap: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,6}(s|m|h|d)$', description: 'How long both keys work, such as `12h`.' }),
    ),
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
const reference = Type.String({ pattern: PAYMENT_REFERENCE });
export const MoveBody = Type.Object({ ...move, reference: Type.Optional(reference) }, strict);
export const SettleBody = Type.Object({ ...move, reference }, strict);
export const RateBody = Type.Object(
  { value: Type.String({ maxLength: MAX_DECIMAL_CHARS }), force: Type.Optional(Type.Boolean()) },
  strict,
);
export const SwitchBody = Type.Object(
  {
    active: Type.Boolean(),
    provider: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,59}$' })),
    direction: Type.Optional(Type.Enum([...DIRECTIONS])),
  },
  strict,
);
export const NewOperatorBody = Type.Object({ name: Type.String({ pattern: OPERATOR_NAME }) }, strict);
export const AuditQueryString = Type.Object(
  {
    operator: Type.Optional(text(100)),
    action: Type.Optional(text(100)),
    subject: Type.Optional(text(200)),
    /** The `next` of the page before. */
    before: Type.Optional(Type.String({ pattern: `${CURSOR_START}$` })),
    limit,
  },
  strict,
);
