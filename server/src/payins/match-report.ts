/**
 * Holds what a provider reported against what was posted, one to one by the provider's reference. Pure. Each reported
 * line and each posted payment is in exactly one finding. Open point OP-212.
 */
import { groupBy } from '../kernel/group-by.ts';
import type { StoredReceipt } from './receipt.ts';
import type { ReportedPayment } from './report.ts';

export const FINDINGS = ['matched', 'amount_differs', 'not_posted', 'not_reported'] as const;

export type Finding =
  | {
      readonly kind: 'matched' | 'amount_differs';
      readonly reference: string;
      readonly reported: ReportedPayment;
      readonly posted: StoredReceipt;
    }
  | {
      readonly kind: 'not_posted';
      readonly reference: string;
      readonly reported: ReportedPayment;
      readonly posted: null;
    }
  | {
      readonly kind: 'not_reported';
      readonly reference: string;
      readonly reported: null;
      readonly posted: StoredReceipt;
    };

/** In the order of the report; behind it, in their own order, the payments that it does not have. */
export function matchReport(reported: readonly ReportedPayment[], posted: readonly StoredReceipt[]): Finding[] {
  const open = groupBy(posted, (receipt) => receipt.paymentReference);
  const take = (reference: string, isWanted: (receipt: StoredReceipt) => boolean): StoredReceipt | undefined => {
    const same = open.get(reference) ?? [];
    const index = same.findIndex(isWanted);
    return index === -1 ? undefined : same.splice(index, 1)[0];
  };
  // Those that agree first: a line that is there twice must not take the payment of the one that is right.
  const agreeing = new Map<ReportedPayment, StoredReceipt>();
  for (const line of reported) {
    const found = take(line.reference, ({ amount, currency }) => amount === line.amount && currency === line.currency);
    if (found) agreeing.set(line, found);
  }
  const findings = reported.map((line): Finding => {
    const { reference } = line;
    const same = agreeing.get(line);
    if (same) return { kind: 'matched', reference, reported: line, posted: same };
    const other = take(reference, () => true);
    if (other) return { kind: 'amount_differs', reference, reported: line, posted: other };
    return { kind: 'not_posted', reference, reported: line, posted: null };
  });
  const left = new Set([...open.values()].flat());
  const rest = posted.filter((receipt) => left.has(receipt));
  return [
    ...findings,
    ...rest.map(
      (receipt): Finding => ({
        kind: 'not_reported',
        reference: receipt.paymentReference,
        reported: null,
        posted: receipt,
      }),
    ),
  ];
}
