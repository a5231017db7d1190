/** Transactions on the wire, for the description of the interface. Spec: Transaction, Recipient, Payout method. */
import { type Static, Type } from 'typebox';
import { CURRENCIES } from '../../money/currencies.ts';
import { STATES as RECIPIENT_STATES } from '../../recipients/states.ts';
import { STATES } from '../../transactions/states.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { NewSender, Sender } from './sender.ts';

const anyObject = Type.Object({}, { additionalProperties: true });
const uuid = Type.String({ format: 'uuid' });
const time = Type.String({ format: 'date-time' });
const currency = Type.Enum(CURRENCIES.map(({ code }) => code));
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const requestedAmount = Type.Union([Type.String(), Type.Number()], {
  description: 'A decimal string, read exactly, or a JSON number of at most 15 digits.',
});

const ReasonDetails = Type.Object({
  code: Type.String(),
  category: Type.String(),
  messages: Type.Array(Type.String()),
  description: Type.String(),
});

const NewRecipient = Type.Object({
  type: Type.Optional(Type.Enum(['person', 'business'], { description: 'person when not given.' })),
  requested_amount: requestedAmount,
  requested_currency: currency,
  payout_method: Type.Object({
    type: Type.String({ description: 'A payout type: NGN::Bank.' }),
    details: anyObject,
    metadata: Type.Optional(anyObject),
  }),
  metadata: Type.Optional(anyObject),
});

const Traits = Type.Object({
  auto_refund: Type.Optional(Type.Boolean({ description: 'true when not given.' })),
  account_validation: Type.Optional(Type.Boolean({ description: 'As agreed for the account when not given.' })),
});

const NewTransaction = Type.Object({
  external_id: Type.Optional(Type.String({ maxLength: 255, description: 'Required for create_and_fund.' })),
  input_currency: currency,
  sender: NewSender,
  recipients: Type.Array(NewRecipient, { minItems: 1 }),
  metadata: Type.Optional(anyObject),
  traits: Type.Optional(Traits),
});

export const Recipient = Type.Object({
  id: Type.Optional(uuid),
  type: Type.Enum(['person', 'business']),
  transaction_id: Type.Optional(uuid),
  transaction_external_id: textOrNull,
  external_id: textOrNull,
  transaction_state: Type.Enum(STATES.map(({ state }) => state)),
  state: Type.Enum(RECIPIENT_STATES.map(({ state }) => state)),
  state_reason: textOrNull,
  state_reason_details: Type.Union([ReasonDetails, Type.Null()]),
  requested_amount: Type.Number(),
  requested_currency: currency,
  input_amount: Type.Number(),
  input_currency: currency,
  output_amount: Type.Number(),
  output_currency: currency,
  input_usd_amount: Type.Union([Type.Number(), Type.Null()]),
  exchange_rate: Type.Number(),
  fee_fractional: Type.Number(),
  editable: Type.Boolean(),
  may_cancel: Type.Boolean(),
  retriable: Type.Boolean(),
  payout_method: Type.Object({
    id: Type.Optional(uuid),
    type: Type.String(),
    details: anyObject,
    metadata: anyObject,
    provider: textOrNull,
    fields: anyObject,
  }),
  metadata: anyObject,
  created_at: Type.Optional(time),
});

export const Transaction = Type.Object({
  id: Type.Optional(uuid),
  external_id: textOrNull,
  state: Type.Enum(STATES.map(({ state }) => state)),
  state_reason: textOrNull,
  state_reason_details: Type.Union([ReasonDetails, Type.Null()]),
  input_currency: currency,
  input_amount: Type.Number(),
  paid_amount: Type.Number(),
  due_amount: Type.Number(),
  sender: Sender,
  recipients: Type.Array(Recipient),
  payin_methods: Type.Array(anyObject),
  metadata: anyObject,
  traits: Type.Object({ auto_refund: Type.Boolean(), account_validation: Type.Boolean() }),
  created_at: Type.Optional(time),
  expires_at: Type.Optional(time),
});

export const TransactionBody = Type.Object({ transaction: NewTransaction });
export const TransactionAnswer = Type.Object({ object: Transaction });
export const TransactionList = Type.Object({
  object: Type.Array(Transaction),
  meta: Type.Object({ pagination: Pagination }),
});

export const TransactionQuery = Type.Object({
  ...PAGE_QUERY,
  external_id: Type.Optional(Type.String({ description: "The caller's own id: at most one transaction has it." })),
  // The format alone would also take `urn:uuid:…`, which the database does not.
  sender_id: Type.Optional(Type.String({ format: 'uuid', pattern: '^[0-9a-fA-F-]+$' })),
});
export type TransactionQuery = Static<typeof TransactionQuery>;
