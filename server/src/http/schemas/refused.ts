/** The answer to a call that was refused: nothing was changed (refused-body.ts makes it). Spec: Errors. */
import { Type } from 'typebox';
import { REFUSALS } from '../../kernel/refusal.ts';
import { Sender } from './sender.ts';
import { Transaction } from './transaction.ts';

const anyObject = Type.Object({}, { additionalProperties: true });

export const FieldError = Type.Object({
  error: Type.Enum(Object.keys(REFUSALS), { description: 'What is wrong, in one word for programs.' }),
});

const common = {
  errors: Type.Object(
    {},
    {
      additionalProperties: Type.Array(FieldError),
      description: 'By path, as recipients.0.requested_amount; base stands for an object as a whole.',
    },
  ),
  meta: Type.Optional(
    Type.Object({
      error: Type.Optional(Type.String({ description: 'For people: why the object as a whole was refused.' })),
      existing: Type.Optional(
        Type.Object(
          { transaction: Type.Optional(Transaction), sender: Type.Optional(Sender) },
          { description: 'What already has the external_id.' },
        ),
      ),
    }),
  ),
};
const description = 'What was sent, where each object carries its own errors.';

export const Refused = Type.Object({
  object: Type.Union([anyObject, Type.Array(Type.Unknown())], { description }),
  ...common,
});

/** Endpoints that answer with a list refuse with one. */
export const RefusedList = Type.Object({ object: Type.Array(Type.Unknown(), { description }), ...common });
