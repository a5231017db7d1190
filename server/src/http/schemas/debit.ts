/** Debits on the wire, for the description of the interface. Spec: Debit. Open point OP-41. */
import { Type } from 'typebox';

const anyObject = Type.Object({}, { additionalProperties: true });

const NewDebit = Type.Object({
  to_id: Type.String({ format: 'uuid', description: 'The transaction to fund.' }),
  to_type: Type.Enum(['Transaction']),
  currency: Type.Optional(Type.String({ description: 'When given, it must be the input currency.' })),
  amount: Type.Optional(
    Type.Union([Type.String(), Type.Number()], { description: 'When given, it must be the input amount.' }),
  ),
  metadata: Type.Optional(anyObject),
});

const Debit = Type.Object({
  id: Type.String({ format: 'uuid' }),
  to_id: Type.String({ format: 'uuid' }),
  to_type: Type.Enum(['Transaction']),
  amount: Type.Number(),
  currency: Type.String(),
  usd_amount: Type.Union([Type.Number(), Type.Null()]),
  running_balance: Type.Number(),
  metadata: anyObject,
  created_at: Type.String({ format: 'date-time' }),
});

export const DebitBody = Type.Object({ debit: Type.Union([NewDebit, Type.Array(NewDebit)]) });
export const DebitList = Type.Object({ object: Type.Array(Debit) });
