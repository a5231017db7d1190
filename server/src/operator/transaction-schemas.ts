/** The forms of requests about transactions. A field that is not listed is refused: it is a mistyped one. */
import Type from 'typebox';
import { MAX_TEXT_CHARS } from '../kernel/storable.ts';
import { formed } from './forms.ts';
import { limit, strict } from './schemas.ts';

export const TransactionParams = Type.Object({ transaction_id: formed('uuid') });
export const FindQuery = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_CHARS,
      description: 'As somebody has it: compared to the letter, but for capitals in our own ids.',
    }),
  },
  strict,
);
export const TransactionsQuery = Type.Object(
  {
    external_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT_CHARS,
        description: "The caller's own id: at most one transaction of the account has it.",
      }),
    ),
    sender_id: Type.Optional(formed('uuid', { description: 'Only those of this sender.' })),
    after: Type.Optional(formed('next')),
    limit,
  },
  strict,
);
