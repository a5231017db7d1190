/** Transactions on the wire, for the description of the interface. Spec: Transaction, Recipient, Payout method. */
import { type Static, type TSchemaOptions, Type } from 'typebox';
import { CURRENCIES } from '../../money/currencies.ts';
import { STATES as RECIPIENT_STATES } from '../../recipients/states.ts';
import { MAX_PAYIN_METHODS } from '../../transactions/draft-payins.ts';
import { STATES } from '../../transactions/states.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { NewPayinMethod, PayinMethod } from './payin-method.ts';
import { NewSender, Sender } from './sender.ts';
import { bag, metadata, textOrNull, uuid } from './shared-forms.ts';

const time = (description: string) => Type.String({ format: 'date-time', description });
const number = (description: string) => Type.Number({ description });
const yesOrNo = (description: string) => Type.Boolean({ description });
const recipientType = (options: TSchemaOptions = {}) => Type.Enum(['person', 'business'], options);
const ofCalculate = 'Absent in what calculate answers.';

const currencyOf = (description: string) =>
  Type.Enum(
    CURRENCIES.map(({ code }) => code),
    { description },
  );
export const CurrencyCode = currencyOf('A currency that the service handles.');
export const TransactionState = Type.Enum(
  STATES.map(({ state }) => state),
  { description: 'Where the transaction stands.' },
);
export const RecipientState = Type.Enum(
  RECIPIENT_STATES.map(({ state }) => state),
  { description: 'Where the payout to this recipient stands.' },
);

export const ErrorDetail = Type.Object({
  code: Type.String({ description: 'The code of the error.' }),
  category: Type.String({ description: 'The kind of error, which says who can do something about it.' }),
  messages: Type.Array(Type.String(), { description: 'Three texts, each with more detail than the one before it.' }),
  description: Type.String({ description: 'A text that may be shown to anybody.' }),
});
const reasonDetails = Type.Union([ErrorDetail, Type.Null()]);

export const NewPayoutMethod = Type.Object(
  {
    type: Type.String({ description: 'A payout type: NGN::Bank. For a collection <CURRENCY>::Balance.' }),
    details: bag('What the payout type asks for: its fields are told by /v1/info/payment_methods/out.'),
    metadata: Type.Optional(metadata),
  },
  { description: 'How the recipient is paid.' },
);

export const NewRecipient = Type.Object({
  type: Type.Optional(recipientType({ description: 'person when not given.' })),
  requested_amount: Type.Union([Type.String(), Type.Number()], {
    description: 'A decimal string, read exactly, or a JSON number of at most 15 digits.',
  }),
  requested_currency: currencyOf(
    'Of the amount: what is paid in, or what is paid out; for a collection that of its balance.',
  ),
  payout_method: NewPayoutMethod,
  metadata: Type.Optional(metadata),
});

const NewTraits = Type.Object(
  {
    auto_refund: Type.Optional(yesOrNo('Give the money back when nobody could be paid in time; true when not given.')),
    account_validation: Type.Optional(yesOrNo('Check accounts first; as agreed for the account when not given.')),
  },
  { description: 'How it is handled, where that is to differ from what is usual.' },
);

export const NewTransaction = Type.Object(
  {
    external_id: Type.Optional(
      Type.String({
        maxLength: 255,
        description: "The caller's own id, once per account. Needed for create_and_fund.",
      }),
    ),
    input_currency: currencyOf('The currency that is paid in: by the balance, or by the payer of a collection.'),
    sender: NewSender,
    recipients: Type.Array(NewRecipient, { minItems: 1, description: 'Who is paid; usually one.' }),
    payin_methods: Type.Optional(
      Type.Array(NewPayinMethod, {
        maxItems: MAX_PAYIN_METHODS,
        description:
          'Needed for a collection: how its sender pays in. It has exactly one recipient, of type <CURRENCY>::Balance.',
      }),
    ),
    metadata: Type.Optional(metadata),
    traits: Type.Optional(NewTraits),
  },
  { description: 'A payout, or with payin methods a collection.' },
);

export const PayoutMethod = Type.Object({
  id: Type.Optional(uuid(ofCalculate)),
  type: Type.String({ description: 'A payout type: NGN::Bank.' }),
  details: bag('The details as they were sent.'),
  metadata,
  provider: textOrNull('Who pays out, once that is known.'),
  fields: bag('Which details this type takes, by name, with their form and allowed values.'),
});

export const Recipient = Type.Object({
  id: Type.Optional(uuid(ofCalculate)),
  type: recipientType(),
  transaction_id: Type.Optional(uuid(ofCalculate)),
  transaction_external_id: textOrNull('The external_id of the transaction.'),
  external_id: textOrNull('The same once more.'),
  transaction_state: TransactionState,
  state: RecipientState,
  state_reason: textOrNull('Why the payout failed, when it did.'),
  state_reason_details: reasonDetails,
  requested_amount: number('What was asked for, rounded by the rule of its currency.'),
  requested_currency: CurrencyCode,
  input_amount: number('What has to be funded for this recipient.'),
  input_currency: CurrencyCode,
  output_amount: number('What the recipient receives.'),
  output_currency: CurrencyCode,
  input_usd_amount: Type.Union([Type.Number(), Type.Null()], {
    description: 'input_amount in USD, at the mid rate of creation; null when there is none.',
  }),
  exchange_rate: number('Units of the output currency for one unit of the input currency.'),
  fee_fractional: number('Always 0: the margin is in the rate.'),
  editable: yesOrNo('Whether its details can still be changed.'),
  may_cancel: yesOrNo('Whether it can be canceled in its present state.'),
  retriable: yesOrNo('Whether the error goes away by itself.'),
  payout_method: PayoutMethod,
  metadata,
  created_at: Type.Optional(time(ofCalculate)),
});

export const Transaction = Type.Object({
  id: Type.Optional(uuid(ofCalculate)),
  external_id: textOrNull("The caller's own id."),
  state: TransactionState,
  state_reason: textOrNull('Why it failed, when it did.'),
  state_reason_details: reasonDetails,
  input_currency: CurrencyCode,
  input_amount: number('What has to be funded: the sum over its recipients.'),
  paid_amount: number('What was debited or received; refunds do not change it.'),
  due_amount: number('What is still to be funded.'),
  sender: Sender,
  recipients: Type.Array(Recipient),
  payin_methods: Type.Array(PayinMethod, { description: 'How a collection is paid in; empty for a payout.' }),
  payin_reference: Type.Optional(Type.String({ description: 'Of a collection: what its payer quotes.' })),
  metadata,
  traits: Type.Object({ auto_refund: Type.Boolean(), account_validation: Type.Boolean() }),
  created_at: Type.Optional(time(ofCalculate)),
  expires_at: Type.Optional(time(`Until when it can be funded: an hour after its creation. ${ofCalculate}`)),
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
  sender_id: Type.Optional(
    Type.String({ format: 'uuid', pattern: '^[0-9a-fA-F-]+$', description: 'Only those of this sender.' }),
  ),
});
export type TransactionQuery = Static<typeof TransactionQuery>;
