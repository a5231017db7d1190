/**
 * The list of recipients, newest first, with the published filters. Amounts are input amounts, and need a currency to
 * be compared in; days are in UTC, both included. Refuses with blank (currency). Open points OP-40, OP-94 and OP-153.
 */
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import { type CreatedDays, spanOf } from '../kernel/created-days.ts';
import { accepted, type Checked, refuse, refused } from '../kernel/refusal.ts';
import { totalCountOf } from '../kernel/total-count.ts';
import { MAX_MINOR } from '../money/amount.ts';
import { type CurrencyCode, minorPerUnit } from '../money/currencies.ts';
import { parseExactDecimal } from '../money/parse.ts';
import { cut, type Rational, roundUp } from '../money/rounding.ts';
import {
  type AmountRange,
  countRecipients,
  pageOfRecipientIds,
  type RecipientFilter,
} from '../recipients/page-store.ts';
import type { RecipientState } from '../recipients/states.ts';
import { readWholeTransactions } from './load.ts';
import type { AtDesk } from './recipient-desk.ts';

export interface RecipientQuery extends CreatedDays {
  readonly accountId: string;
  readonly page: number;
  readonly per: number;
  /** Decimals, not below zero. */
  readonly amountFrom?: string;
  readonly amountTo?: string;
  readonly states?: readonly RecipientState[];
  readonly currencies?: readonly CurrencyCode[];
}

interface RecipientPage {
  readonly recipients: readonly AtDesk[];
  readonly totalCount: number;
}

/** Nobody is listed by a state and shown in another one. */
const AS_ONE = { seesOneMoment: true } as const;

export async function pageOfRecipients(
  ctx: Pick<Context, 'db'>,
  query: RecipientQuery,
): Promise<Checked<RecipientPage>> {
  const filter = filterOf(query);
  if (!filter.ok) return filter;
  const page = await ctx.db.inTx(async (tx) => {
    const place = { offset: (query.page - 1) * query.per, limit: query.per };
    const keys = await pageOfRecipientIds(tx, filter.value, place);
    const totalCount = await totalCountOf({ shown: keys.length, ...place }, () => countRecipients(tx, filter.value));
    const whole = await readWholeTransactions(tx, keys);
    const recipients = keys.map(({ transactionId, recipientId }) => {
      const transaction = present(whole.get(transactionId), 'transaction of a recipient');
      const recipient = transaction.recipients.find((each) => each.recipientId === recipientId);
      return { transaction, recipient: present(recipient, 'recipient of its transaction') };
    });
    return { recipients, totalCount };
  }, AS_ONE);
  return accepted(page);
}

function filterOf(query: RecipientQuery): Checked<RecipientFilter> {
  const { amountFrom, amountTo, currencies = [] } = query;
  const isBounded = amountFrom !== undefined || amountTo !== undefined;
  if (isBounded && currencies.length === 0) return refused(refuse('blank', 'currency'));
  return accepted({
    accountId: query.accountId,
    ...spanOf(query),
    states: query.states && query.states.length > 0 ? query.states : null,
    amounts:
      currencies.length === 0 ? null : [...new Set(currencies)].map((each) => rangeIn(each, amountFrom, amountTo)),
  });
}

/** Bounds between two minor units are moved inwards, so that no amount outside of them is listed. */
function rangeIn(currency: CurrencyCode, from: string | undefined, to: string | undefined): AmountRange {
  const bound = (minor: bigint) => (minor > MAX_MINOR ? MAX_MINOR + 1n : minor);
  return {
    currency,
    least: from === undefined ? 0n : bound(roundUp(exactMinor(from, currency))),
    most: to === undefined ? MAX_MINOR : bound(cut(exactMinor(to, currency))),
  };
}

function exactMinor(text: string, currency: CurrencyCode): Rational {
  const { num, den } = present(parseExactDecimal(text), 'decimal of a checked form');
  return { num: num * minorPerUnit(currency), den };
}
