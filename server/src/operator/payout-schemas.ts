/** The forms of requests about payouts and providers. A field that is not listed is refused: it is a mistyped one. */
import Type from 'typebox';
import { ATTENTION_STATES } from '../transactions/attention.ts';
import { formed } from './forms.ts';
import { limit, strict, text } from './schemas.ts';

/** A case number, a statement line, who said what: enough for a few sentences. */
const MAX_EVIDENCE_CHARS = 1_000;
const MAX_CODE_CHARS = 3;
const MAX_ATTEMPT = 1_000_000;

export const RecipientParams = Type.Object({ recipient_id: formed('uuid') });
export const ProviderParams = Type.Object({ name: formed('visible') });

export const AttentionQueryString = Type.Object(
  {
    state: Type.Optional(Type.Enum([...ATTENTION_STATES])),
    account_id: Type.Optional(formed('uuid')),
    /** The `next` of the page before. */
    after: Type.Optional(formed('nextOfAttention')),
    limit,
  },
  strict,
);

export const EvidenceBody = Type.Object({ evidence: text(MAX_EVIDENCE_CHARS) }, strict);
/** Which attempt the evidence is about, by its number. */
const attempt = Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ATTEMPT }));
export const MarkPaidBody = Type.Object({ evidence: text(MAX_EVIDENCE_CHARS), attempt }, strict);
export const MarkFailedBody = Type.Object(
  { evidence: text(MAX_EVIDENCE_CHARS), code: Type.Optional(text(MAX_CODE_CHARS)), attempt },
  strict,
);
