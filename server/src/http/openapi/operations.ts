/**
 * What each route does, in words: one row per method and path, in the order of the reference page, which keeps
 * the methods of a path together. A test compares the
 * rows with the routes of the server, both ways. Spec: Endpoints.
 */
import { CALLBACK_FAILURES, PAYIN_OPERATIONS } from './operations-payins.ts';
import { WEBHOOK_OPERATIONS } from './operations-webhooks.ts';

export interface Tag {
  readonly name: string;
  readonly description: string;
}

export const TAGS = [
  { name: 'Transactions', description: 'Payouts and collections: priced, created, funded, and followed to their end.' },
  { name: 'Recipients', description: 'Who is paid: followed, corrected and canceled one by one.' },
  { name: 'Balances', description: 'What the account owns, and the debits that fund transactions from it.' },
  { name: 'Senders', description: 'The people and businesses whose money moves.' },
  { name: 'Documents', description: 'Files that are stored to be attached to a sender.' },
  { name: 'Payout methods', description: 'Payout details that a caller keeps for later use.' },
  { name: 'Account checks', description: 'Who holds an account, which operator it belongs to, whether it is live.' },
  { name: 'Payin methods', description: 'How the sender of a collection pays in.' },
  { name: 'Currencies', description: 'Currencies, exchange rates and the ways in which somebody can be paid.' },
  { name: 'Webhooks', description: 'Addresses to which the service sends events as they happen.' },
  { name: 'Logs', description: 'What the account asked of the service, and what it was answered.' },
  { name: 'Sandbox', description: 'What exists in the sandbox alone, for trying things out.' },
  { name: 'Service', description: 'Health and this description. Anybody may call these, without a key.' },
  { name: 'Providers', description: "Where the operator's providers call back. Each proves in its own way who it is." },
] as const satisfies readonly Tag[];

type TagName = (typeof TAGS)[number]['name'];

interface OperationText {
  readonly tag: TagName;
  /** The name of the operation in generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** The number in the specification's table of endpoints, where it has one. */
  readonly endpoint?: number;
  /** How a call without a key can fail, by status; what all calls with a key share is not told here. */
  readonly failures?: Readonly<Record<number, string>>;
}

/** By method and path, as the routes spell them. */
export const OPERATIONS: Readonly<Record<string, OperationText>> = {
  'POST /v1/transactions': {
    tag: 'Transactions',
    id: 'createTransaction',
    endpoint: 1,
    summary: 'Create a transaction',
    description:
      'Fixes the rate and reserves the external_id; no money moves yet. The transaction has to be funded within one hour: by a debit, or, where it has payin methods, by its payer, who is prompted right away.',
  },
  'POST /v1/transactions/create_and_fund': {
    tag: 'Transactions',
    id: 'createAndFundTransaction',
    endpoint: 2,
    summary: 'Create and fund a transaction',
    description:
      'Creates and debits the balance in one step: both happen or neither does. Needs an external_id and an approved sender. It may take longer than a minute, so wait for the answer; if none comes, look the transaction up by its external_id before you try again.',
  },
  'POST /v1/transactions/calculate': {
    tag: 'Transactions',
    id: 'calculateTransaction',
    endpoint: 3,
    summary: 'Calculate a transaction',
    description: 'Answers what creation would answer at this moment, with amounts and rates. Nothing is kept.',
  },
  'POST /v1/transactions/validate': {
    tag: 'Transactions',
    id: 'validateTransaction',
    summary: 'Validate a transaction',
    description: 'The same as calculate, under the name that some client libraries use.',
  },
  'GET /v1/transactions': {
    tag: 'Transactions',
    id: 'listTransactions',
    endpoint: 4,
    summary: 'List transactions',
    description: 'Newest first, in pages. With external_id: the one that has it, or an empty list.',
  },
  'GET /v1/transactions/:id': {
    tag: 'Transactions',
    id: 'readTransaction',
    endpoint: 5,
    summary: 'Read a transaction',
    description: 'The transaction as it stands now. Webhooks tell of changes sooner than polling does.',
  },
  'GET /v1/recipients': {
    tag: 'Recipients',
    id: 'listRecipients',
    summary: 'List recipients',
    description:
      'Newest first, in pages, with filters by day, state and input currency. Amounts are compared in the currencies that are asked for, so they need one.',
  },
  'PATCH /v1/recipients/:id': {
    tag: 'Recipients',
    id: 'editRecipient',
    endpoint: 8,
    summary: 'Change the details of a recipient',
    description:
      'Send only the details that change. They are used by the next attempt, which follows at once where the last one has failed. A payout that is under way uses them only if it fails; in cash its provider is told, and the pickup reference stays.',
  },
  'DELETE /v1/recipients/:id': {
    tag: 'Recipients',
    id: 'cancelRecipient',
    endpoint: 7,
    summary: 'Cancel a recipient',
    description:
      'Canceled at once where may_cancel is true, and refunded where it was funded. While its provider has it, the wish is kept: it is refunded when the provider reports a failure, and dropped when it was paid. Asking again changes nothing.',
  },
  'GET /v1/recipients/:id/proof_of_payments': {
    tag: 'Recipients',
    id: 'listProofsOfPayment',
    endpoint: 9,
    summary: 'List the proofs of a payment',
    description:
      'The files of the provider and of operators, newest first, and at the end a receipt, which every paid recipient has. Empty while it is not paid. The addresses expire: ask again for new ones.',
  },
  'GET /files/:account_id/:recipient_id/:file_id/:form': {
    tag: 'Recipients',
    id: 'readFile',
    summary: 'Read a file',
    description:
      'Used as it was given in a list of proofs, without a key, until it expires: then 403. An address that was changed answers 404.',
    failures: {
      403: 'The address has expired: ask for the list again.',
      404: 'There is nothing at this address, or it was changed.',
      503: 'Not possible at this moment.',
    },
  },
  'POST /v1/accounts/debits': {
    tag: 'Balances',
    id: 'createDebits',
    endpoint: 6,
    summary: 'Fund transactions',
    description:
      'Debits the balance and starts the payout. Takes one debit or a list, which is funded as a whole or not at all; the answer is a list either way.',
  },
  'GET /v1/accounts': {
    tag: 'Balances',
    id: 'listBalances',
    endpoint: 10,
    summary: 'List balances',
    description: 'One balance for each currency that the account has had.',
  },
  'GET /v1/accounts/:currency': {
    tag: 'Balances',
    id: 'readBalance',
    endpoint: 11,
    summary: 'Read a balance',
    description: 'The balance of one currency; 404 when the account has none. The code is in upper case.',
  },
  'GET /v1/senders': {
    tag: 'Senders',
    id: 'listSenders',
    endpoint: 14,
    summary: 'List senders',
    description: 'Newest first, in pages. With external_id: the one that has it, or an empty list.',
  },
  'POST /v1/senders': {
    tag: 'Senders',
    id: 'createSender',
    summary: 'Create a sender',
    description:
      'Stores a sender ahead of its first transaction. Which details are needed depends on its type and on what was agreed for the account; what is missing is told all at once.',
  },
  'GET /v1/senders/:id': {
    tag: 'Senders',
    id: 'readSender',
    summary: 'Read a sender',
    description: 'The sender with its details, documents and state.',
  },
  'PATCH /v1/senders/:id': {
    tag: 'Senders',
    id: 'updateSender',
    summary: 'Update a sender',
    description: 'Changes the fields that are sent and leaves the others. New identity details may need a new review.',
  },
  'DELETE /v1/senders/:id': {
    tag: 'Senders',
    id: 'disableSender',
    summary: 'Disable a sender',
    description: 'It can still be read, but neither changed nor used. Its external_id stays taken.',
  },
  'GET /v1/documents': {
    tag: 'Documents',
    id: 'listDocuments',
    summary: 'List documents',
    description: 'Newest first, in pages. The files themselves are never shown.',
  },
  'POST /v1/documents': {
    tag: 'Documents',
    id: 'createDocument',
    summary: 'Store a document',
    description: 'Takes the file inside the request. Its id can then stand among the documents of a sender.',
  },
  'GET /v1/documents/:id': {
    tag: 'Documents',
    id: 'readDocument',
    summary: 'Read a document',
    description: 'What is known of the file, without its content.',
  },
  'GET /v1/payout_methods': {
    tag: 'Payout methods',
    id: 'listPayoutMethods',
    summary: 'List payout methods',
    description:
      'Those that were kept here, newest first, in pages. Those of recipients are read with their recipients.',
  },
  'POST /v1/payout_methods': {
    tag: 'Payout methods',
    id: 'keepPayoutMethod',
    summary: 'Keep a payout method',
    description:
      'Checks the details by the rules of the type and keeps them for later use. A transaction carries its own details and does not refer to what is kept here.',
  },
  'GET /v1/payout_methods/:id': {
    tag: 'Payout methods',
    id: 'readPayoutMethod',
    summary: 'Read a payout method',
    description: 'With all values that its type allows. One that was deleted can still be read.',
  },
  'PATCH /v1/payout_methods/:id': {
    tag: 'Payout methods',
    id: 'changePayoutMethod',
    summary: 'Change a payout method',
    description: 'The body is the object itself. Only the details that are sent change; the type stays.',
  },
  'DELETE /v1/payout_methods/:id': {
    tag: 'Payout methods',
    id: 'deletePayoutMethod',
    summary: 'Delete a payout method',
    description: 'It becomes disabled and stays so. Deleting it again changes nothing.',
  },
  'POST /v1/account_validations': {
    tag: 'Account checks',
    id: 'validateAccount',
    endpoint: 15,
    summary: 'Check an account',
    description:
      'Looks an account up before it is paid: by market the name of its holder, its mobile operator, or whether it is live. The body is the object itself. 422 when the account is bad, and when nobody could tell: then try again some minutes later.',
  },
  ...PAYIN_OPERATIONS,
  'GET /v1/info/currencies': {
    tag: 'Currencies',
    id: 'listCurrencies',
    summary: 'List currencies',
    description: 'Every currency that the service handles, with its decimals and bounds.',
  },
  'GET /v1/info/currencies/in': {
    tag: 'Currencies',
    id: 'listInputCurrencies',
    endpoint: 12,
    summary: 'List rates by input currency',
    description: 'Every currency that can be paid in, with the rate to each that can be paid out.',
  },
  'GET /v1/info/currencies/out': {
    tag: 'Currencies',
    id: 'listOutputCurrencies',
    endpoint: 13,
    summary: 'List rates by payout currency',
    description: 'Every currency that can be paid out, with the rate from each that can be paid in.',
  },
  'GET /info/currencies/out': {
    tag: 'Currencies',
    id: 'listOutputCurrenciesUnversioned',
    endpoint: 13,
    summary: 'List rates by payout currency, without the version',
    description: 'The same answer at the address that has no version in it.',
  },
  'GET /v1/info/payment_methods/out': {
    tag: 'Currencies',
    id: 'listPayoutTypes',
    summary: 'List payout types',
    description: 'Every way in which a recipient can be paid, with the details that it asks for.',
  },
  'GET /v1/info/payment_methods/in': {
    tag: 'Currencies',
    id: 'listPayinTypes',
    summary: 'List payin types',
    description: 'Every way in which the sender of a collection can pay in, with the details that it asks for.',
  },
  ...WEBHOOK_OPERATIONS,
  'GET /health/live': {
    tag: 'Service',
    id: 'readLiveness',
    summary: 'Is the process alive',
    description: 'Answers as long as the process can answer at all.',
  },
  'GET /health/ready': {
    tag: 'Service',
    id: 'readReadiness',
    summary: 'Can the process serve calls',
    description: 'Asks the database as well. For load balancers.',
  },
  'GET /openapi.json': {
    tag: 'Service',
    id: 'readOpenApi',
    summary: 'This description, for programs',
    description: 'OpenAPI 3.1, made from the schemas that the routes carry.',
  },
  'GET /reference': {
    tag: 'Service',
    id: 'readReference',
    summary: 'This description, for people',
    description: 'One page without scripts, which loads nothing from anywhere.',
  },
  'POST /providers/:name/callbacks': {
    tag: 'Providers',
    id: 'receiveCallback',
    summary: 'For payout providers: tell what became of orders',
    description:
      'Called by the providers of the operator, each in its own form; the adapter of the provider proves who sent it. Answered with 200 when everything is recorded, so that a provider which gets another answer tells again; telling again is harmless.',
    failures: CALLBACK_FAILURES,
  },
  'POST /v1/transactions/:id/payout': {
    tag: 'Sandbox',
    id: 'payOutTransaction',
    summary: 'Pay a transaction out',
    description: 'Every open recipient of a funded transaction is paid at once, whatever its details would lead to.',
  },
  'GET /sandbox/clock': {
    tag: 'Sandbox',
    id: 'readClock',
    summary: 'Read the clock',
    description: 'The time of the sandbox. All accounts share it.',
  },
  'POST /sandbox/clock': {
    tag: 'Sandbox',
    id: 'moveClock',
    summary: 'Move the clock forward',
    description:
      'Goes from due time to due time and answers when what was due has happened: expiries, retries, refunds. At each it waits three seconds at most. It cannot go back, and all accounts share it.',
  },
};
