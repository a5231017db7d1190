/**
 * What the rules of holds look at, taken from a transaction, and when they look. Pure. Open points OP-200 and OP-201.
 */
import type { Catalogue } from '../corridors/catalogue.ts';
import { isBarred } from '../holds/hold.ts';
import type { HoldFacts, PayoutFacts } from '../holds/match.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { isOpen, isStarting, mayStart } from './due-at.ts';
import type { WholeTransaction } from './transaction.ts';

/**
 * Funded, and nothing of it was sent to a provider: the rules are asked now. Also while it is under review for its
 * sender, since it may go on in the same moment.
 */
export function isFirstLook(transaction: WholeTransaction): boolean {
  const { fundedAt, recipients, state } = transaction;
  return (
    fundedAt !== null &&
    (isStarting(transaction) || state === 'processing') &&
    recipients.some(isOpen) &&
    recipients.every((each) => !isTried(each))
  );
}

function isTried({ attemptId }: Recipient): boolean {
  return attemptId !== null;
}

/** Whether anything of it may go to a provider now, also what was sent before and got lost on its way. */
export function maySend(transaction: WholeTransaction): boolean {
  return mayStart(transaction) && !isBarred(transaction.sender);
}

/** Some of its recipients could be sent to a provider, now or later, unless somebody holds them. */
export function waitsToBeSent({ recipients }: WholeTransaction): boolean {
  return recipients.some(
    ({ state, cancelRequestedAt }) =>
      cancelRequestedAt === null && (state === 'initial' || state === 'error' || state === 'manual'),
  );
}

export function holdFactsOf(
  catalogue: Catalogue,
  transaction: WholeTransaction,
  history: HoldFacts['history'],
): HoldFacts {
  const { accountId, inputCurrency, sender } = transaction;
  const country = sender.details['country'];
  return {
    accountId,
    inputCurrency,
    senderCountry: typeof country === 'string' ? country : undefined,
    payouts: transaction.recipients.filter(isOpen).map((recipient) => payoutFactsOf(catalogue, recipient)),
    history,
  };
}

function payoutFactsOf(catalogue: Catalogue, recipient: Recipient): PayoutFacts {
  const { payoutType, inputAmount, inputUsdAmount, outputAmount, outputCurrency } = recipient;
  const corridor = catalogue.mustPayout(payoutType);
  const country = corridor.countryOf(recipient.payoutDetails);
  // Details that do not tell may be about any country of the corridor.
  const countries = country === undefined ? corridor.countries : [country];
  return { payoutType, inputAmount, inputUsdAmount, outputAmount, outputCurrency, countries };
}
