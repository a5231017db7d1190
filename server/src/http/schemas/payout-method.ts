/** Payout methods that are kept, on the wire. What a request is held to is payout-methods/check.ts. */
import { type Static, Type } from 'typebox';
import { STATES } from '../../payout-methods/payout-method.ts';
import { CREATED_DAYS_QUERY } from '../created-days.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { bag, metadata } from './shared-forms.ts';

const type = Type.String({ description: 'A payout type: NGN::Bank.' });
const details = bag('What the type needs to pay somebody: its fields are told by /v1/info/payment_methods/out.');

export const NewPayoutMethod = Type.Object(
  { type, details, metadata: Type.Optional(metadata) },
  { description: 'How somebody is paid, to be kept.' },
);

/** Only what is sent changes. */
export const PayoutMethodChange = Type.Object({
  type: Type.Optional(Type.String({ description: 'The type that it has; another one is refused.' })),
  details: Type.Optional(bag('The details that change; null takes one away.')),
  metadata: Type.Optional(metadata),
});

const KeptPayoutMethod = Type.Object({
  id: Type.String({ format: 'uuid' }),
  type,
  details: bag('The details as they are kept.'),
  metadata,
  provider: Type.Null({ description: 'Nobody pays out before there is a transaction.' }),
  fields: bag('Which details this type takes, by name, with their form and allowed values.'),
  state: Type.Enum([...STATES], { description: 'disabled: it was deleted.' }),
});

export const PayoutMethodBody = Type.Object({ payout_method: NewPayoutMethod });
export const PayoutMethodAnswer = Type.Object({ object: KeptPayoutMethod });
export const PayoutMethodList = Type.Object({
  object: Type.Array(KeptPayoutMethod),
  meta: Type.Object({ pagination: Pagination }),
});

const MAX_FILTERS = 100;

export const PayoutMethodQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(
    Type.Array(Type.Enum([...STATES]), { maxItems: MAX_FILTERS, description: 'enabled when not given.' }),
  ),
  type: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: MAX_FILTERS })),
  sender_id: Type.Optional(
    Type.String({ maxLength: 60, description: 'Methods belong to no sender, so a list by sender is empty.' }),
  ),
  ...CREATED_DAYS_QUERY,
});
export type PayoutMethodQuery = Static<typeof PayoutMethodQuery>;
