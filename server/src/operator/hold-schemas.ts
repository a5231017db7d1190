/** The forms of requests about holds. A field that is not listed is refused: it is a mistyped one. */
import Type from 'typebox';
import { COUNTRY_SIDES, MAX_COUNT, MAX_COUNTRIES, RULE_KINDS } from '../holds/rule.ts';
import { MAX_DECIMAL_CHARS } from '../money/parse.ts';
import { VERSION_CHARS } from '../transactions/held-version.ts';
import { formed } from './forms.ts';
import { strict, text } from './schemas.ts';

/** Who looked at what, and what was found: enough for a few sentences. */
const MAX_REASON_CHARS = 1_000;

export const RuleParams = Type.Object({ rule_id: formed('uuid') });
export const HeldParams = Type.Object({ transaction_id: formed('uuid') });
export const RulesQuery = Type.Object({ account_id: Type.Optional(formed('uuid')) }, strict);

/** Which of the last five belong to which kind is checked with the rule itself. */
export const NewRuleBody = Type.Object(
  {
    /** Null: every account. */
    account_id: Type.Union([formed('uuid'), Type.Null()]),
    /** Null: every payout type. */
    payout_type: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 60 }), Type.Null()])),
    kind: Type.Enum([...RULE_KINDS]),
    amount: Type.Optional(Type.Union([Type.String({ maxLength: MAX_DECIMAL_CHARS }), Type.Number()])),
    currency: Type.Optional(formed('currency')),
    transactions: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_COUNT })),
    side: Type.Optional(Type.Enum([...COUNTRY_SIDES])),
    countries: Type.Optional(Type.Array(formed('country'), { minItems: 1, maxItems: MAX_COUNTRIES })),
  },
  strict,
);

export const DecisionBody = Type.Object({ reason: text(MAX_REASON_CHARS) }, strict);
/** `as_of`: that of the hold as it was shown. */
export const ReleaseBody = Type.Object(
  { reason: text(MAX_REASON_CHARS), as_of: Type.Optional(text(VERSION_CHARS)) },
  strict,
);
