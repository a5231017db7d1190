/** A comparison with a provider's report as operators see it: the counts, and one row for each payment. */
import { FINDINGS, type Finding } from '../payins/match-report.ts';
import type { Reconciliation } from '../payins/reconcile.ts';
import { formatLedgerAmount } from './ledger-currency.ts';
import { receiptView } from './payin-view.ts';

export function reconciliationView({ provider, from, to, findings }: Reconciliation) {
  const countOf = (kind: Finding['kind']) => findings.filter((finding) => finding.kind === kind).length;
  return {
    provider,
    from: from.toISOString(),
    to: to.toISOString(),
    counts: Object.fromEntries(FINDINGS.map((kind) => [kind, countOf(kind)])),
    findings: findings.map(({ kind, reference, reported, posted }) => ({
      kind,
      reference,
      reported: reported && {
        line: reported.line,
        amount: reported.amount === null ? reported.written : formatLedgerAmount(reported.currency, reported.amount),
        currency: reported.currency,
        time: reported.at.toISOString(),
      },
      posted: posted && receiptView(posted),
    })),
  };
}
