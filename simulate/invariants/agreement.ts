/**
 * The providers' own book agrees with ours: nobody was paid twice, nothing was refunded that was paid, nothing was paid
 * that was refunded. Providers that contradicted themselves are held to less: then somebody has to be told of it.
 */
import { groupBy } from '../../server/src/kernel/group-by.ts';
import type { BookEntry } from '../outside/book.ts';
import { type Invariant, type Row, rowsOf } from './invariant.ts';

const RECIPIENTS = `
  select r.recipient_id, r.state, r.output_amount, r.payout_details, r.cancel_requested_at, t.state as transaction_state
  from recipients r
  join transactions t on t.account_id = r.account_id and t.transaction_id = r.transaction_id
  where not t.is_collection
  order by r.recipient_id`;

function byRecipient(entries: readonly BookEntry[]): Map<string, BookEntry[]> {
  return groupBy(entries, ({ order }) => order.recipientId);
}

/** While everything goes on: what is known of already must be true, and never twice. */
function wrongNow({ recipient_id: id, state, output_amount: ordered }: Row, entries: readonly BookEntry[]): string[] {
  const paid = entries.filter(({ truth }) => truth.kind === 'paid');
  const isContradicted = entries.some((entry) => entry.isContradicted);
  if (isContradicted) return [];
  const wrong: string[] = [];
  if (paid.length > 1) wrong.push(`${nameOf(entries)} was paid ${paid.length} times`);
  if ((state === 'success' || state === 'overpaid') && paid.length === 0) {
    wrong.push(`${nameOf(entries)} (${id}) is ${state}, and no provider paid it`);
  }
  if ((state === 'refunded' || state === 'canceled') && paid.length > 0) {
    wrong.push(`${nameOf(entries)} is ${state}, and a provider has paid it`);
  }
  const [first] = paid;
  if (state === 'success' && first?.truth.kind === 'paid' && first.truth.minor !== ordered) {
    wrong.push(`${nameOf(entries)} is success, and got ${first.truth.minor} in place of ${ordered}`);
  }
  return wrong;
}

/** At the end nothing is open, so that every payment has been heard of. */
function wrongAtEnd(
  { state, output_amount: ordered, transaction_state: of }: Row,
  entries: readonly BookEntry[],
): string[] {
  const paid = entries.flatMap(({ truth }) => (truth.kind === 'paid' ? [truth.minor] : []));
  const total = paid.reduce((sum, minor) => sum + minor, 0n);
  const name = nameOf(entries);
  if (entries.some((entry) => entry.isContradicted)) {
    const isKnown = state === 'exception' || state === 'success' || state === 'overpaid';
    return isKnown ? [] : [`${name} is ${state}, and was paid after all`];
  }
  // Another recipient of it is for people to decide on, and until then nothing goes on.
  if (of === 'exception' && total === 0n) return [];
  if (typeof ordered !== 'bigint') return [`${name} has no amount`];
  const expected =
    total === 0n
      ? ['refunded', 'canceled']
      : total === ordered
        ? ['success']
        : total > ordered
          ? ['overpaid']
          : ['exception'];
  return expected.includes(String(state))
    ? []
    : [`${name} is ${state} in a transaction that is ${of}, and providers paid ${total} of ${ordered}`];
}

function nameOf(entries: readonly BookEntry[]): string {
  return String(entries[0]?.order.details['last_name'] ?? 'a recipient that no provider knows');
}

export const agreement: Invariant = {
  name: 'the books of the providers agree',
  often: ({ world }) => {
    const entries = byRecipient(world.book.all());
    return rowsOf(world, RECIPIENTS).flatMap((row) => wrongNow(row, entries.get(String(row['recipient_id'])) ?? []));
  },
  atEnd: ({ world }) => {
    const entries = byRecipient(world.book.all());
    return rowsOf(world, RECIPIENTS).flatMap((row) => {
      const ours = entries.get(String(row['recipient_id']));
      return ours ? wrongAtEnd(row, ours) : [];
    });
  },
};
