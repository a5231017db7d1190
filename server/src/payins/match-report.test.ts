/** The comparison of a report with the books, over reports and books of every kind. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Finding, matchReport } from './match-report.ts';
import type { StoredReceipt } from './receipt.ts';
import type { ReportedPayment } from './report.ts';

const AT = new Date('2026-11-16T09:00:00.000Z');

function reportedOf(reference: string, amount: bigint, line: number): ReportedPayment {
  return { line, reference, currency: 'XOF', amount, written: String(amount), at: AT };
}

function postedOf(paymentReference: string, amount: bigint, receiptId: string): StoredReceipt {
  return {
    accountId: 'account',
    receiptId,
    transactionId: 'transaction',
    payinMethodId: 'method',
    attemptId: null,
    provider: 'payer',
    paymentReference,
    currency: 'XOF',
    amount,
    reason: 'expected',
    entryId: 'entry',
    receivedAt: AT,
    decision: null,
  };
}

const payment = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.bigInt({ min: 1n, max: 3n }));
const kinds = (findings: readonly Finding[]) => findings.map(({ kind }) => kind);

describe('a report and the books', () => {
  it('give one finding for each line and each payment, and never one for two', () => {
    fc.assert(
      fc.property(fc.array(payment), fc.array(payment), (lines, books) => {
        const reported = lines.map(([reference, amount], index) => reportedOf(reference, amount, index + 1));
        const posted = books.map(([reference, amount], index) => postedOf(reference, amount, String(index)));
        const findings = matchReport(reported, posted);
        expect(findings.flatMap((finding) => finding.reported ?? [])).toEqual(reported);
        const found = findings.flatMap((finding) => finding.posted ?? []);
        expect(new Set(found)).toEqual(new Set(posted));
        expect(found).toHaveLength(posted.length);
        for (const { kind, reported: line, posted: receipt } of findings) {
          if (line === null || receipt === null) continue;
          expect(receipt.paymentReference).toBe(line.reference);
          expect(kind).toBe(receipt.amount === line.amount ? 'matched' : 'amount_differs');
        }
        const left = (kind: Finding['kind']) =>
          new Set(findings.flatMap((finding) => (finding.kind === kind ? finding.reference : [])));
        const both = [...left('not_posted')].filter((reference) => left('not_reported').has(reference));
        expect(both).toEqual([]);
      }),
    );
  });

  it('that agree in another order agree all the same', () => {
    const reported = [reportedOf('a', 1n, 1), reportedOf('a', 2n, 2)];
    const posted = [postedOf('a', 2n, 'x'), postedOf('a', 1n, 'y')];
    expect(kinds(matchReport(reported, posted))).toEqual(['matched', 'matched']);
  });

  it('differ where the report has digits below the minor unit, whatever was posted', () => {
    const finer = { ...reportedOf('a', 1n, 1), amount: null, written: '1.9' };
    expect(kinds(matchReport([finer], [postedOf('a', 1n, 'x')]))).toEqual(['amount_differs']);
    expect(kinds(matchReport([finer, reportedOf('a', 1n, 2)], [postedOf('a', 1n, 'x')]))).toEqual([
      'not_posted',
      'matched',
    ]);
  });

  it('differ by their currency too', () => {
    const posted = { ...postedOf('a', 1n, 'x'), currency: 'XAF' } as const;
    expect(kinds(matchReport([reportedOf('a', 1n, 1)], [posted]))).toEqual(['amount_differs']);
  });
});
