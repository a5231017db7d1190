/** Debits on the wire, for the description of the interface. Spec: Debit. Open point OP-41. */
import { Type } from 'typebox';

const metadata = Type.Object({}, { additionalProperties: true, description: "The caller's free storage." });
const toId = Type.String({ format: 'uuid', description: 'The transaction to fund.' });
const toType = Type.Enum(['Transaction']);

export const NewDebit = Type.Object({
  to_id: toId,
  to_type: toType,
  currency: Type.Optional(Type.String({ description: 'When given, it must be the input currency.' })),
  amount: Type.Optional(
    Type.Union([Type.String(), Type.Number()], { description: 'When given, it must be the input amount.' }),
  ),
  metadata: Type.Optional(metadata),
});

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

export const DebitBody = Type.Object({ debit: Type.Union([NewDebit, Type.Array(NewDebit)]) });
export const DebitList = Type.Object({ object: Type.Array(Debit) });
