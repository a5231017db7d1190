/**
 * Senders on the wire, for the description of the interface: made from the table of fields (senders/fields.ts), which
 * is also what a request is held to (senders/check.ts). Spec: Sender.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { unreachable } from '../../kernel/assert.ts';
import { SENDER_TYPES } from '../../senders/choices.ts';
import { DETAIL_FIELDS, type DetailForm } from '../../senders/fields.ts';
import { MAX_SENDER_DOCUMENTS } from '../../senders/sender.ts';
import { STATES } from '../../senders/states.ts';
import { CREATED_DAYS_QUERY } from '../created-days.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { Document, DocumentReference, NewDocument } from './document.ts';
import { meaningOf, needOf } from './sender-words.ts';
import { bag, metadata, uuid } from './shared-forms.ts';

const ofNewInCalculate = 'Absent in what calculate answers about a sender that is not stored.';

export const ExposedPerson = Type.Object(
  {
    name: Type.String({ description: 'Full name.' }),
    position: Type.Optional(Type.String({ description: 'The office.' })),
    started_date: Type.Optional(
      Type.String({ description: 'Since when: a day, or a moment; shown as a moment in UTC.' }),
    ),
    ended_date: Type.Optional(Type.String({ description: 'Until when, in the same form; left out while it lasts.' })),
  },
  { description: 'Somebody who holds or held public office.' },
);

function schemaOf(form: DetailForm, meaning: string, need: string): TSchema {
  const told = (note = '') => ({ description: [meaning, note, need].filter((text) => text !== '').join(' ') });
  switch (form.kind) {
    case 'text':
      return Type.String({ maxLength: form.maxChars, ...(form.minChars && { minLength: form.minChars }), ...told() });
    case 'choice':
      return Type.Enum([...form.values], told());
    case 'country':
      return Type.String(told('A country code of two capital letters.'));
    case 'countries':
      return Type.Array(Type.String(), { maxItems: form.maxItems, ...told('Country codes.') });
    case 'phone':
      return Type.String(told(`E.164, or a national number of ${form.countryField}; comes back as E.164.`));
    case 'date':
      return Type.String({ format: 'date', ...told() });
    case 'email':
      // No format: those that there are refuse addresses in some scripts, and an answer would break its description.
      return Type.String(told('Of any script.'));
    case 'ip':
      return Type.String(told('IPv4 or IPv6.'));
    case 'people':
      return Type.Array(ExposedPerson, { maxItems: form.maxItems, ...told() });
    default:
      return unreachable(form);
  }
}

/** All of them optional: a stored sender is named by its id alone. What a new one needs, the words say. */
function detailsWith(need: (name: string) => string): Record<string, TSchema> {
  return Object.fromEntries(
    DETAIL_FIELDS.map(({ name, form }) => [name, Type.Optional(schemaOf(form, meaningOf(name), need(name)))]),
  );
}

const ofNewEvenEmpty = 'Needed for a new sender, even if empty';

export const NewSender = Type.Object(
  {
    id: Type.Optional(uuid('Names a sender that is stored. Not together with external_id.')),
    type: Type.Optional(Type.Enum([...SENDER_TYPES], { description: 'A new sender is a person when not given.' })),
    ...detailsWith(needOf),
    external_id: Type.Optional(
      Type.String({
        maxLength: 255,
        description: "The caller's own id, once per account. Alone it names a sender that is stored.",
      }),
    ),
    documents: Type.Optional(
      Type.Array(Type.Union([NewDocument, DocumentReference]), {
        maxItems: MAX_SENDER_DOCUMENTS,
        description: `Files that prove who the sender is. ${ofNewEvenEmpty}; with one at least where the account proves its senders by documents.`,
      }),
    ),
    metadata: Type.Optional(bag(`The caller's free storage. ${ofNewEvenEmpty}.`)),
  },
  { description: 'A sender to store, or the id of one that is stored, with what changes.' },
);

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
  ...detailsWith(() => ''),
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
  ...CREATED_DAYS_QUERY,
});
export type SenderQuery = Static<typeof SenderQuery>;
