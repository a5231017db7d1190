/** The forms of requests about payments of payers. A field that is not listed is refused: it is a mistyped one. */
import Type from 'typebox';
import { MAX_REPORT_LINES } from '../payins/report.ts';
import { formed } from './forms.ts';
import { limit, strict, text } from './schemas.ts';

/** Who looked at what, and what was found: enough for a few sentences. */
const MAX_REASON_CHARS = 1_000;

const id = formed('uuid');
const provider = formed('visible');
/** The `next` of the page before. */
const after = Type.Optional(formed('next'));
const time = Type.String({ maxLength: 40 });

export const PayinParams = Type.Object({ payin_id: id });
export const CollectionParams = Type.Object({ transaction_id: id });
export const SuspenseQueryString = Type.Object(
  { account_id: Type.Optional(id), provider: Type.Optional(provider), after, limit },
  strict,
);
export const PayinsQueryString = Type.Object(
  { transaction_id: Type.Optional(id), provider: Type.Optional(provider), after, limit },
  strict,
);

export const AcceptBody = Type.Object({ reason: text(MAX_REASON_CHARS) }, strict);
export const ReturnBody = Type.Object({ reason: text(MAX_REASON_CHARS), evidence: text(MAX_REASON_CHARS) }, strict);

/** The last three where nobody confirms the payment; which of them belong together is checked with the order. */
export const ResolveBody = Type.Object(
  {
    reason: text(MAX_REASON_CHARS),
    outcome: Type.Optional(Type.Enum(['paid', 'unpaid'])),
    reference: Type.Optional(formed('paymentReference')),
    evidence: Type.Optional(text(MAX_REASON_CHARS)),
  },
  strict,
);

/** The lines are read one by one, so that a mistake is told with its line. */
export const ReportBody = Type.Object(
  {
    provider,
    from: Type.Optional(time),
    to: Type.Optional(time),
    payments: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_REPORT_LINES }),
  },
  strict,
);
