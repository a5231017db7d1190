/**
 * What each route of the operator API is for, in words: one line per method and path, in the order of the page
 * (docs/operator-api.md). A test compares the lines with the routes of the server, both ways.
 */
interface OperationGroup {
  readonly title: string;
  /** By method and path, as the routes spell them. */
  readonly summaries: Readonly<Record<string, string>>;
}

const ACCOUNTS: OperationGroup = {
  title: 'Accounts and keys',
  summaries: {
    'POST /operator/accounts': 'Makes an account and its first API key; the secret is in this answer and in no other.',
    'GET /operator/accounts': 'Lists accounts in the order of their creation, in pages.',
    'GET /operator/accounts/:account_id': 'Shows an account, its terms and its balances.',
    'PATCH /operator/accounts/:account_id': 'Changes the terms that the body names; the others stay as they are.',
    'GET /operator/accounts/:account_id/check': 'Shows what the recorded use of the account proves, point by point.',
    'POST /operator/accounts/:account_id/admission':
      'Lets the account into production. Without a reason every point of the check has to be met.',
    'GET /operator/accounts/:account_id/usage': 'Counts the account checks of an account by day and kind.',
    'GET /operator/accounts/:account_id/api-logs':
      'Lists the calls of an account, newest first, as far back as they are kept (`api_logs.retention`).',
    'GET /operator/api-logs/:api_log_id':
      'Shows a call with its answer, as its caller can look it up; the id is the `X-Request-Id` of the answer.',
    'POST /operator/accounts/:account_id/keys': 'Makes a further API key; its secret is shown once.',
    'GET /operator/accounts/:account_id/keys': 'Lists the keys of an account, without their secrets.',
    'POST /operator/keys/:key/replacement':
      'Makes a successor of a key; both work until the overlap ends, seven days unless told otherwise.',
    'POST /operator/keys/reseal': 'Stores all secrets under the master key in force, when a new one replaces another.',
    'DELETE /operator/keys/:key': 'Revokes a key: at once in this process, within two seconds in every other.',
  },
};

const MONEY: OperationGroup = {
  title: 'Balances, rates and books',
  summaries: {
    'GET /operator/accounts/:account_id/balances': 'Shows what the books hold for an account, by currency.',
    'POST /operator/accounts/:account_id/balances': 'Opens a balance in a currency, or under the name of a partner.',
    'POST /operator/accounts/:account_id/credits': 'Posts money that the account brought in.',
    'POST /operator/accounts/:account_id/debits': 'Posts money that the account took out.',
    'POST /operator/accounts/:account_id/settlements':
      'Records that delivered payouts were settled with a provider; one settlement of an account and currency has a reference.',
    'POST /operator/accounts/:account_id/payin-settlements':
      'Records that a provider has handed over what payers paid, in the same way.',
    'GET /operator/rates': 'Lists the exchange rates that are in force.',
    'PUT /operator/rates/:currency': 'Sets a rate: units of the currency for one unit of the base, as a decimal text.',
    'GET /operator/ledger/verification':
      'Recomputes all balances and tells every difference. It reads all books and takes its time.',
  },
};

const PAYOUTS: OperationGroup = {
  title: 'Payouts',
  summaries: {
    'GET /operator/attention': 'Lists what needs people, the oldest first.',
    'GET /operator/find':
      'Finds what a text names, of whichever account: by our id, by the external id of a caller, or by the reference of an order, a prompt or a payment at its provider.',
    'GET /operator/transactions/:transaction_id':
      'Shows a transaction with its recipients and what each of them waits for, as this process sees it; what payers paid into it, what holds it, why it needs people, what ended it, and what came back.',
    'GET /operator/accounts/:account_id/transactions':
      'Lists the transactions of an account or of one of its senders, newest first, or the one that bears an external id.',
    'GET /operator/recipients/:recipient_id':
      'Shows a recipient, what it waits for, as this process sees it, every attempt to pay it, what contradicted it, and where its money is.',
    'POST /operator/recipients/:recipient_id/retry': 'Makes one more attempt, now.',
    'POST /operator/recipients/:recipient_id/mark-paid': 'Says that the recipient has the whole amount.',
    'POST /operator/recipients/:recipient_id/mark-failed':
      'Says that the recipient has nothing. Be sure: the money may be sent again.',
    'POST /operator/recipients/:recipient_id/settle-part':
      'Ends a recipient that was paid in part: that part is posted, the rest goes back to the balance.',
    'POST /operator/recipients/:recipient_id/cancel': "Cancels and refunds a recipient, as the caller's DELETE does.",
    'POST /operator/recipients/:recipient_id/proofs': 'Attaches a proof of payment to a paid recipient.',
    'GET /operator/providers': 'Lists the providers and how they fare, as this process sees them.',
    'POST /operator/providers/:name/pause': 'Gives a provider no new orders, in any process.',
    'POST /operator/providers/:name/resume': 'Ends a pause, also one that failures have caused.',
    'GET /operator/corridors': 'Lists the payout and payin types, and which of them are switched off.',
    'GET /operator/corridors/:type': 'Shows the fields of a type, with an example.',
    'PUT /operator/corridors/:type': 'Switches a type off or on, as a whole or for one provider.',
  },
};

const COLLECTIONS: OperationGroup = {
  title: 'Collections',
  summaries: {
    'GET /operator/payins/suspense': 'Lists the payments of payers that wait for a decision, the oldest first.',
    'GET /operator/accounts/:account_id/payins':
      'Lists what was paid into the collections of an account, newest first.',
    'GET /operator/payins/:payin_id': 'Shows a payment, with the payer as its caller has named it.',
    'POST /operator/payins/:payin_id/accept': 'Moves a payment from suspense into the balance of the account.',
    'POST /operator/payins/:payin_id/return': 'Records that a payment in suspense was given back to its payer.',
    'GET /operator/collections/:transaction_id/prompts':
      'Shows what the payer of a collection was asked for, with the reference of each prompt at its provider.',
    'POST /operator/collections/:transaction_id/refund':
      'Records that everything which a collection brought in was given back to its payer.',
    'POST /operator/collections/:transaction_id/resolve':
      'Ends a collection that is in exception, or whose payment nobody confirms: then with the outcome and the evidence.',
    'POST /operator/payins/reconcile': 'Compares a report of a provider with the books; changes nothing.',
  },
};

const REVIEWS: OperationGroup = {
  title: 'Senders and holds',
  summaries: {
    'GET /operator/reviews': 'Lists the senders that wait for a decision, the oldest first.',
    'GET /operator/senders/:sender_id': 'Shows a sender with what its checks found, and addresses of its documents.',
    'POST /operator/senders/:sender_id/approve':
      'Approves a sender in review. With `reviews.two_persons` two different operators have to do it.',
    'POST /operator/senders/:sender_id/reject': 'Rejects a sender.',
    'POST /operator/senders/:sender_id/ban': 'Bans a sender.',
    'POST /operator/senders/:sender_id/lift': 'Takes a decision back: all checks run as if the sender were new.',
    'GET /operator/files/:account_id/:document_id':
      "Opens a sender's document. The address that was shown carries its permission, so no token is needed.",
    'GET /operator/hold-rules': 'Lists the rules that put transactions under review.',
    'POST /operator/hold-rules': 'Adds a rule, for one account or for all (`null`).',
    'DELETE /operator/hold-rules/:rule_id': 'Removes a rule; what it holds stays held.',
    'GET /operator/holds/:transaction_id':
      'Shows a transaction under review, when it is refunded by itself (`auto_refund_at`), and everything that ever held it.',
    'POST /operator/holds/:transaction_id/release': 'Lets it go on, as it was when it was looked at (`as_of`).',
    'POST /operator/holds/:transaction_id/cancel': 'Refunds what is open of it.',
  },
};

const WEBHOOKS: OperationGroup = {
  title: 'Webhooks',
  summaries: {
    'GET /operator/accounts/:account_id/webhooks': 'Lists the webhooks of an account.',
    'GET /operator/accounts/:account_id/deliveries': 'Lists deliveries, newest first: waiting, delivered or dropped.',
    'POST /operator/accounts/:account_id/redeliveries':
      'Sends one event again, or everything of a time range that was dropped.',
    'POST /operator/accounts/:account_id/webhooks/:webhook_id/test': 'Sends a test, and tells what was answered.',
    'GET /operator/accounts/:account_id/events': 'Waits for events and gives them as they happen. Sandbox only.',
  },
};

const SERVICE: OperationGroup = {
  title: 'The service',
  summaries: {
    'GET /operator': 'Names the program, its version and these routes.',
    'POST /operator/operators': 'Makes an operator; the token is in this answer and in no other.',
    'GET /operator/operators': 'Lists the operators, without their tokens.',
    'DELETE /operator/operators/:name': 'Revokes the token of an operator.',
    'GET /operator/audit': 'Lists what operators did, newest first.',
    'GET /operator/audit/:audit_id':
      'Shows one line of it, with the object before and after; the id is that of the command.',
    'GET /operator/settings': 'Shows each setting and where its value comes from, with secrets masked.',
    'GET /metrics': 'Measurements in the format of Prometheus.',
  },
};

export const OPERATION_GROUPS: readonly OperationGroup[] = [
  ACCOUNTS,
  MONEY,
  PAYOUTS,
  COLLECTIONS,
  REVIEWS,
  WEBHOOKS,
  SERVICE,
];

/** Undefined: a route that nobody has described; a test finds it. */
export function summaryOf(operation: string): string | undefined {
  return OPERATION_GROUPS.map(({ summaries }) => summaries[operation]).find((summary) => summary !== undefined);
}
