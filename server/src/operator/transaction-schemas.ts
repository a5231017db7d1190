/** The forms of requests about transactions. A field that is not listed is refused: it is a mistyped one. */
import Type from 'typebox';
import { MAX_TEXT_CHARS } from '../kernel/storable.ts';
import { CURSOR_START, limit, strict, UUID } from './schemas.ts';

export const TransactionParams = Type.Object({ transaction_id: Type.String({ pattern: UUID }) });
export const TransactionsQuery = Type.Object(
  {
    external_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT_CHARS,
        description: "The caller's own id: at most one transaction of the account has it.",
      }),
    ),
    after: Type.Optional(Type.String({ pattern: `${CURSOR_START}$` })),
    limit,
  },
  strict,
);
