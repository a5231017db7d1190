/**
 * The recipients of a new transaction, with their quotes. Pure. Refuses with corridor_not_permitted,
 * corridor_not_active, same_currency, with what quoting refuses (rate_unavailable, not_positive, too_large), and with
 * below_minimum, above_maximum. Spec: Recipient (amounts), What the service does (5), Limits.
 */
import type { Account } from '../accounts/account.ts';
import type { AmountBounds } from '../corridors/amount-bounds.ts';
import type { CorridorSwitches } from '../corridors/switches.ts';
import { present } from '../kernel/assert.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { CREATION } from '../kernel/state-table.ts';
import type { Amount } from '../money/amount.ts';
import type { CurrencyCode, Rounding } from '../money/currencies.ts';
import type { MarginTable } from '../rates/margins.ts';
import { type Quote, quote, usdValue } from '../rates/quote.ts';
import { formatRate, type Rate } from '../rates/rate.ts';
import type { RateSheet } from '../rates/sheet.ts';
import { NOT_TRIED, type Recipient } from '../recipients/recipient.ts';
import { recipientTable } from '../recipients/states.ts';
import type { CreateCommand } from './create-command.ts';
import type { RecipientDraft } from './draft-recipient.ts';
import { whyClosed } from './why-closed.ts';

export interface RateFacts {
  readonly sheet: RateSheet;
  readonly margins: MarginTable;
  /**
   * What the input currency is worth in US dollars; undefined where nobody knows, or the rate is too old to be used.
   */
  readonly usdRate: Rate | undefined;
  /** How a computed input amount is rounded. Open point OP-88. */
  readonly inputRounding: Rounding;
}

export interface RecipientFacts {
  readonly command: CreateCommand;
  readonly account: Account;
  readonly rates: RateFacts;
  readonly switches: CorridorSwitches;
  readonly bounds: AmountBounds;
  readonly now: Date;
}

interface DecidedRecipients {
  readonly recipients: readonly Recipient[];
  readonly inputs: readonly Amount[];
  readonly refusals: readonly Refusal[];
}

export function decideRecipients(facts: RecipientFacts): DecidedRecipients {
  const { draft } = facts.command;
  const recipients: Recipient[] = [];
  const inputs: Amount[] = [];
  const refusals: Refusal[] = [];
  for (const [index, recipient] of draft.recipients.entries()) {
    const { corridor, requested } = recipient;
    if (!corridor) continue;
    const { type, kind } = corridor;
    const closed = whyClosed(facts, { type, direction: 'payout', isOwn: kind === 'balance' });
    if (closed) refusals.push(refuse(closed, 'recipients', index, 'payout_method', 'type'));
    if (!draft.inputCurrency) continue;
    if (corridor.kind !== 'balance' && isSameCurrency(facts.account, draft.inputCurrency, corridor.currency)) {
      refusals.push(refuse('same_currency', 'recipients', index, 'payout_method', 'type'));
      continue;
    }
    if (!requested) continue;
    const quoted = quote({
      requested,
      inputCurrency: draft.inputCurrency,
      outputCurrency: corridor.currency,
      outputStepMinor: corridor.outputStepMinor(recipient.payoutDetails),
      ...facts.rates,
    });
    if (!quoted.ok) {
      refusals.push(...quoted.refusals.map(({ code }) => refuse(code, 'recipients', index, 'requested_amount')));
      continue;
    }
    const outOfBounds = facts.bounds.refusals(corridor.type, quoted.value.output);
    const path = ['recipients', index, 'requested_amount'];
    refusals.push(...outOfBounds.map((refusal) => ({ ...refusal, path })));
    inputs.push(quoted.value.input);
    recipients.push(makeRecipient(facts, recipient, index, quoted.value));
  }
  // What is off is said at its type, and of the object as a whole as well. Open point OP-77.
  if (refusals.some(({ code }) => code === 'corridor_not_active')) refusals.push(refuse('corridor_not_active'));
  return { recipients, inputs, refusals };
}

/**
 * Refused unless an operator has opened the currency for the account. Open point OP-100. Into a balance it is the usual
 * case, and nobody's to permit. Open point OP-170.
 */
function isSameCurrency(account: Account, input: CurrencyCode, output: CurrencyCode): boolean {
  return input === output && !account.sameCurrency.includes(input);
}

function makeRecipient(
  { command, rates, now }: RecipientFacts,
  draft: RecipientDraft,
  index: number,
  { requested, input, output, rate }: Quote,
): Recipient {
  const { recipientId, payoutMethodId } = present(command.recipientIds[index], 'ids of a recipient');
  const { usdRate } = rates;
  const isCollection = command.draft.payins.length > 0;
  return {
    accountId: command.call.accountId,
    recipientId,
    transactionId: command.transactionId,
    position: index,
    type: draft.type,
    state: recipientTable.mustMove(CREATION, 'create'),
    stateReason: null,
    stateReasonDetails: null,
    requestedAmount: requested.minor,
    requestedCurrency: requested.currency,
    inputAmount: input.minor,
    inputCurrency: input.currency,
    outputAmount: output.minor,
    outputCurrency: output.currency,
    inputUsdAmount: usdValue(input, usdRate)?.minor ?? null,
    usdRate: isCollection && usdRate ? formatRate(usdRate) : null,
    rate: formatRate(rate),
    payoutMethodId,
    payoutType: present(draft.corridor, 'corridor of a recipient').type,
    payoutDetails: draft.payoutDetails,
    payoutMetadata: draft.payoutMetadata,
    provider: null,
    metadata: draft.metadata,
    eventCount: 0,
    ...NOT_TRIED,
    createdAt: now,
  };
}
