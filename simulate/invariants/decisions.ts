/**
 * Acknowledged decisions survive: of callers about payin methods and senders, and of operators, each with its line in
 * the audit log. Of two operators who decide on the same money, one at most is told that it was done.
 */
import { groupBy } from '../../server/src/kernel/group-by.ts';
import type { Stage } from '../stage.ts';
import { otherDetails } from './details.ts';
import { type Invariant, type Row, rowsOf } from './invariant.ts';

const METHODS = 'select m.payin_method_id as id, m.state, m.cancel_requested_at from payin_methods m';
const SENDERS = 'select s.sender_id as id, s.state from senders s';
const RECEIPTS = 'select p.receipt_id as id, p.transaction_id, p.place, p.resolution from payin_receipts p';
const AUDIT = 'select a.audit_id as id from audit_log a';

/** Canceled, or paid before it could be; never open as if nothing had been said. */
const OVER = ['canceled', 'refunded', 'success', 'mispaid', 'exception'];
/** What can be done once to a subject. */
const ONCE = ['accept', 'return', 'refund'];

function byId(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [String(row['id']), row]));
}

function lostByCallers({ world, promises }: Stage): string[] {
  const methods = byId(rowsOf(world, METHODS));
  const senders = byId(rowsOf(world, SENDERS));
  const uncanceled = [...promises.canceledPayins].filter((id) => {
    const row = methods.get(id);
    const isPaying = row?.['state'] === 'processing';
    return !isPaying && !OVER.includes(String(row?.['state'])) && row?.['cancel_requested_at'] === null;
  });
  const undisabled = [...promises.disabledSenders].filter((id) => senders.get(id)?.['state'] !== 'disabled');
  return [
    ...uncanceled.map((id) => `payin method ${id} was canceled, and is ${methods.get(id)?.['state']}`),
    ...undisabled.map((id) => `sender ${id} was deleted, and is ${senders.get(id)?.['state']}`),
    ...otherDetails(world, 'payin method', promises.payinDetails.all({ isRefused: false })),
    ...otherDetails(world, 'sender', promises.senderDetails.all({ isRefused: false })),
  ];
}

function lostByOperators({ world, promises: { decided } }: Stage): string[] {
  const audit = byId(rowsOf(world, AUDIT));
  const receipts = rowsOf(world, RECEIPTS);
  const resolutionOf = byId(receipts);
  const wrong = decided
    .filter(({ commandId }) => !audit.has(commandId))
    .map(({ what, subject }) => `${what} of ${subject} was acknowledged, and is in no audit log`);
  const money = decided.filter(({ what }) => ONCE.includes(what));
  for (const [subject, orders] of groupBy(money, (each) => each.subject)) {
    if (orders.length > 1) wrong.push(`${subject} was decided ${orders.length} times: ${orders.map((o) => o.what)}`);
  }
  for (const { subject, what } of money) {
    const found =
      what === 'refund'
        ? receipts.filter((row) => row['transaction_id'] === subject && row['place'] === 'held')
        : [resolutionOf.get(subject)];
    const expected = what === 'accept' ? 'accepted' : 'returned';
    if (found.some((row) => row?.['resolution'] !== expected)) wrong.push(`${what} of ${subject} is not there`);
  }
  return wrong;
}

export const decisions: Invariant = {
  name: 'decisions survive',
  often: (stage) => [...lostByCallers(stage), ...lostByOperators(stage)],
};
