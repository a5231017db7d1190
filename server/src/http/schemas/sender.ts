/**
 * Senders on the wire, for the description of the interface: made from the table of fields (senders/fields.ts), which
 * is also what a request is held to (senders/check.ts). Spec: Sender.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { unreachable } from '../../kernel/assert.ts';
import { SENDER_TYPES } from '../../senders/choices.ts';
import { type FieldForm, SENDER_FIELDS } from '../../senders/fields.ts';
import { MAX_SENDER_DOCUMENTS } from '../../senders/sender.ts';
import { STATES } from '../../senders/states.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { Document, DocumentReference, NewDocument } from './document.ts';

const bag = (description: string) => Type.Object({}, { additionalProperties: true, description });
const metadata = bag("The caller's free storage.");
const uuid = (description: string) => Type.String({ format: 'uuid', description });
const ofNewInCalculate = 'Absent in what calculate answers about a sender that is not stored.';

export const ExposedPerson = Type.Object({
  name: Type.String(),
  position: Type.Optional(Type.String()),
  started_date: Type.Optional(Type.String()),
  ended_date: Type.Optional(Type.String()),
});

function schemaOf(form: FieldForm): TSchema | undefined {
  switch (form.kind) {
    case 'text':
      return Type.String({ maxLength: form.maxChars, ...(form.minChars && { minLength: form.minChars }) });
    case 'choice':
      return Type.Enum([...form.values]);
    case 'country':
      return Type.String({ description: 'A country code of two capital letters.' });
    case 'countries':
      return Type.Array(Type.String(), { maxItems: form.maxItems, description: 'Country codes.' });
    case 'phone':
      return Type.String({ description: `E.164, or a national number of ${form.countryField}; comes back as E.164.` });
    case 'date':
      return Type.String({ format: 'date' });
    case 'email':
      return Type.String({ format: 'email' });
    case 'ip':
      return Type.String({ description: 'IPv4 or IPv6.' });
    case 'people':
      return Type.Array(ExposedPerson, { maxItems: form.maxItems });
    case 'own':
    case 'returned':
      return undefined;
    default:
      return unreachable(form);
  }
}

/** The details, all of them optional: which are needed depends on the type and on the account (senders/required.ts). */
const details = Object.fromEntries(
  SENDER_FIELDS.flatMap(({ name, form }) => {
    const schema = schemaOf(form);
    return schema === undefined ? [] : [[name, Type.Optional(schema)]];
  }),
);

export const NewSender = Type.Object({
  id: Type.Optional(uuid('Names a sender that is stored.')),
  type: Type.Optional(Type.Enum([...SENDER_TYPES])),
  ...details,
  external_id: Type.Optional(Type.String({ maxLength: 255, description: "The caller's own id, once per account." })),
  documents: Type.Optional(
    Type.Array(Type.Union([NewDocument, DocumentReference]), { maxItems: MAX_SENDER_DOCUMENTS }),
  ),
  metadata: Type.Optional(metadata),
});

export const Sender = Type.Object({
  id: Type.Optional(uuid(`Given by the service. ${ofNewInCalculate}`)),
  type: Type.Enum([...SENDER_TYPES]),
  state: Type.Enum(
    STATES.map(({ state }) => state),
    { description: 'Only an approved sender may transact.' },
  ),
  state_reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it is in this state, when there is a reason.',
  }),
  ...details,
  external_id: Type.Union([Type.String(), Type.Null()], { description: "The caller's own id." }),
  documents: Type.Array(Document),
  metadata,
  providers: bag('Empty: no provider is assigned to a sender.'),
  created_at: Type.Optional(Type.String({ format: 'date-time', description: ofNewInCalculate })),
});

export const SenderBody = Type.Object({ sender: NewSender });
export const SenderAnswer = Type.Object({ object: Sender });
export const SenderList = Type.Object({ object: Type.Array(Sender), meta: Type.Object({ pagination: Pagination }) });

export const SenderQuery = Type.Object({
  ...PAGE_QUERY,
  external_id: Type.Optional(Type.String({ description: "The caller's own id: at most one sender has it." })),
  created_at_from: Type.Optional(Type.String({ format: 'date', description: 'First day, in UTC.' })),
  created_at_to: Type.Optional(Type.String({ format: 'date', description: 'Last day, in UTC.' })),
});
export type SenderQuery = Static<typeof SenderQuery>;
