/**
 * Bodies that work as they stand in the sandbox, by method and path as the routes spell them: for the document and the
 * reference page. A test sends each of them in this order, and another one compares the guides with them.
 */
import { EXAMPLE_PERSON } from '../../corridors/example-person.ts';
import type { Example } from './types.ts';

const CUSTOMER = { external_id: 'customer-17', ...EXAMPLE_PERSON };

const BUSINESS = {
  external_id: 'customer-18',
  type: 'business',
  name: 'Example Ltd',
  country: 'GB',
  trading_country: 'GB',
  street: '2 High Street',
  city: 'London',
  postal_code: 'N1 1AA',
  email: 'office@example.com',
  documents: [],
  ip: '127.0.0.1',
  metadata: {},
};

const NIGERIAN_BANK = {
  type: 'NGN::Bank',
  details: {
    first_name: 'Obi',
    last_name: 'Example',
    bank_account: '1234567890',
    bank_code: '058',
    bank_account_type: '20',
  },
};

const PAYOUT = {
  input_currency: 'USD',
  recipients: [{ requested_amount: '20000', requested_currency: 'NGN', payout_method: NIGERIAN_BANK }],
};

const COLLECTION = {
  external_id: 'collection-1042',
  input_currency: 'XOF',
  sender: CUSTOMER,
  recipients: [
    {
      requested_amount: '10000',
      requested_currency: 'XOF',
      payout_method: { type: 'XOF::Balance', details: { reference: 'collection-1042' } },
    },
  ],
  payin_methods: [{ type: 'XOF::Mobile', in_details: { phone_number: '+221771234700', mobile_provider: 'orange' } }],
};

/** Stand for ids that the service gives. */
export const TRANSACTION_ID = '01900000-0000-7000-8000-000000000001';
export const EVENT_ID = '01900000-0000-7000-8000-000000000002';

/** The least file that passes for a picture. */
const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';

const quote: Readonly<Record<string, Example>> = {
  payout: {
    summary: 'A payout by a sender who is not stored yet',
    value: { transaction: { ...PAYOUT, sender: CUSTOMER } },
  },
};
const byCustomer = (externalId: string) => ({
  transaction: { external_id: externalId, ...PAYOUT, sender: { external_id: CUSTOMER.external_id } },
});

export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  'POST /v1/transactions/calculate': quote,
  'POST /v1/transactions/validate': quote,
  'POST /v1/senders': {
    person: { summary: 'A person', value: { sender: CUSTOMER } },
    business: { summary: 'A business', value: { sender: BUSINESS } },
  },
  'PATCH /v1/senders/:id': {
    address: { summary: 'Another address', value: { sender: { street: '3 High Street', postal_code: 'N1 2BB' } } },
  },
  'POST /v1/transactions': {
    payout: { summary: 'A payout by a sender who is stored', value: byCustomer('invoice-2040') },
    collection: { summary: 'A collection from a phone', value: { transaction: COLLECTION } },
  },
  'POST /v1/transactions/create_and_fund': {
    payout: { summary: 'A payout by a sender who is stored', value: byCustomer('invoice-2041') },
  },
  'PATCH /v1/recipients/:id': {
    account: {
      summary: 'Another bank account',
      value: { recipient: { payout_method: { details: { bank_account: '1234567811' } } } },
    },
  },
  'POST /v1/accounts/debits': {
    one: { summary: 'One transaction', value: { debit: { to_id: TRANSACTION_ID, to_type: 'Transaction' } } },
  },
  'POST /v1/documents': {
    passport: {
      summary: 'A passport',
      value: { document: { upload: PICTURE, upload_file_name: 'passport.png', document_type: 'passport' } },
    },
  },
  'POST /v1/payout_methods': {
    bank: { summary: 'A bank account', value: { payout_method: NIGERIAN_BANK } },
  },
  'PATCH /v1/payout_methods/:id': {
    account: { summary: 'Another bank account', value: { details: { bank_account: '1234567811' } } },
  },
  'POST /v1/account_validations': {
    bank: {
      summary: 'A bank account',
      value: { country: 'NG', currency: 'NGN', method: 'bank', bank_account: '1234567890', bank_code: '058' },
    },
    mobile: {
      summary: 'An account of a phone',
      value: {
        country: 'SN',
        currency: 'XOF',
        method: 'mobile',
        phone_number: '+221774044400',
        mobile_provider: 'orange',
      },
    },
  },
  'PATCH /v1/payin_methods/:id': {
    phone: { summary: 'Another phone', value: { in_details: { phone_number: '+221771234711' } } },
  },
  'POST /v1/transactions/:id/payin': {
    whole: { summary: 'What the collection asks for', value: { payin_method: { type: 'XOF::Mobile' } } },
  },
  'POST /v1/webhooks': {
    payouts: {
      summary: 'What becomes of payouts',
      value: {
        webhook: {
          url: 'http://127.0.0.1:4000/hooks',
          events: ['transaction.paid_in', 'transaction.paid_out', 'recipient.error'],
        },
      },
    },
  },
  'POST /sandbox/webhooks/redeliver': {
    event: { summary: 'One event', value: { event_id: EVENT_ID } },
    dropped: {
      summary: 'What was dropped on a day',
      value: { from: '2026-11-16T00:00:00Z', to: '2026-11-17T00:00:00Z' },
    },
  },
  'POST /sandbox/clock': {
    hour: { summary: 'An hour', value: { seconds: 3600 } },
  },
};
