/** The forms of requests about payouts and providers. A field that is not listed is refused: it is a mistyped one. */
import Type from 'typebox';
import { ATTENTION_STATES } from '../transactions/attention.ts';
import { CURSOR_START, limit, strict, text, UUID } from './schemas.ts';

/** A case number, a statement line, who said what: enough for a few sentences. */
const MAX_EVIDENCE_CHARS = 1_000;
const MAX_CODE_CHARS = 3;
const MAX_ATTEMPT = 1_000_000;

export const RecipientParams = Type.Object({ recipient_id: Type.String({ pattern: UUID }) });
export const ProviderParams = Type.Object({ name: Type.String({ pattern: '^[!-~]{1,100}$' }) });

export const AttentionQueryString = Type.Object(
  {
    state: Type.Optional(Type.Enum([...ATTENTION_STATES])),
    account_id: Type.Optional(Type.String({ pattern: UUID })),
    /** The `next` of the page before. */
    after: Type.Optional(Type.String({ pattern: `${CURSOR_START}_(-1|[0-9]{1,5})$` })),
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
