/** Debits on the wire, for the description of the interface. Spec: Debit. Open point OP-41. */
import { Type } from 'typebox';
import { MAX_DEBITS } from '../../transactions/draft-debits.ts';
import { metadata } from './shared-forms.ts';

const toId = Type.String({ format: 'uuid', description: 'The transaction to fund.' });
const toType = Type.Enum(['Transaction'], { description: 'Nothing else can be funded.' });

export const NewDebit = Type.Object(
  {
    to_id: toId,
    to_type: toType,
    currency: Type.Optional(Type.String({ description: 'When given, it must be the input currency.' })),
    amount: Type.Optional(
      Type.Union([Type.String(), Type.Number()], { description: 'When given, it must be the input amount.' }),
    ),
    metadata: Type.Optional(metadata),
  },
  { description: 'What is to be funded from the balance.' },
);

export const Debit = Type.Object({
  id: Type.String({ format: 'uuid' }),
  to_id: toId,
  to_type: toType,
  amount: Type.Number({ description: 'What was taken from the balance.' }),
  currency: Type.String({ description: 'The input currency of the transaction.' }),
  usd_amount: Type.Union([Type.Number(), Type.Null()], {
    description: 'The same in USD, at the mid rate; null when there is none.',
  }),
  running_balance: Type.Number({ description: 'What the balance held after it.' }),
  metadata,
  created_at: Type.String({ format: 'date-time' }),
});

export const DebitBody = Type.Object({
  debit: Type.Union([NewDebit, Type.Array(NewDebit, { minItems: 1, maxItems: MAX_DEBITS })], {
    description: 'One debit, or a list that is funded as a whole or not at all.',
  }),
});
export const DebitList = Type.Object({ object: Type.Array(Debit) });
