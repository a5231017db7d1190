/** What a provider reported against what was posted, through the operator listener. */
import { describe, expect, it } from 'vitest';
import { reconcile } from '../../server/src/payins/reconcile.ts';
import { MAX_REPORT_LINES } from '../../server/src/payins/report.ts';
import { at } from '../operator/support.ts';
import { countRows, difference } from '../support/rows.ts';
import { startCollectionService } from './operator-world.ts';

const { app, call, collected, db, late, payins } = await startCollectionService();
const provider = app.ctx.settings.sandbox.providerName;
const DAY_MS = 86_400_000;

const compare = (body: object) => call('POST', '/operator/payins/reconcile', { provider, ...body });
const lineOf = (payin: Record<string, unknown>) => ({
  reference: payin['reference'],
  amount: payin['amount'],
  currency: payin['currency'],
  time: payin['received_at'],
});

describe('a report of a provider', async () => {
  const from = new Date(app.clock.now().getTime() - 1).toISOString();
  const arranged = [await collected(), await collected(), await collected(), await late()];
  const to = app.clock.now().toISOString();
  const [right, other, forgotten, waiting] = await Promise.all(
    arranged.map(async ({ account }) => Object((await payins(account)).payins[0])),
  );
  const report = [
    lineOf(right),
    { ...lineOf(other), amount: '9999' },
    { ...lineOf(right), reference: 'never-seen' },
    lineOf(waiting),
    lineOf(right),
  ];

  it('is held against the books, payment by payment, and nothing is changed', async () => {
    const before = await countRows(db);
    const { status, body } = await compare({ from, to, payments: report });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      provider,
      from,
      to,
      counts: { matched: 2, amount_differs: 1, not_posted: 2, not_reported: 1 },
      findings: [
        { kind: 'matched', reported: { line: 1, amount: '10000' }, posted: { id: right.id } },
        { kind: 'amount_differs', reported: { amount: '9999' }, posted: { id: other.id, amount: '10000' } },
        { kind: 'not_posted', reference: 'never-seen', posted: null },
        { kind: 'matched', reported: { line: 4 }, posted: { id: waiting.id, place: 'suspense' } },
        { kind: 'not_posted', reference: right.reference, reported: { line: 5 }, posted: null },
        { kind: 'not_reported', reference: forgotten.reference, reported: null, posted: { id: forgotten.id } },
      ],
    });
    expect(difference(before, await countRows(db))).toEqual({});
  });

  it('is refused for a time that ends before it begins, and for a provider that nobody has heard of', async () => {
    expect(await compare({ from: to, to: from, payments: report })).toMatchObject({
      status: 422,
      body: { error: 'report_invalid', details: [expect.stringContaining('from: is after to')] },
    });
    expect(await compare({ provider: 'mistyped', payments: report })).toMatchObject({
      status: 404,
      body: { error: 'provider_not_found' },
    });
  });

  it('covers the time from its first payment to its last, unless told otherwise', async () => {
    const alone = await compare({ payments: [lineOf(waiting)] });
    expect(at(alone.body, 'counts')).toMatchObject({ matched: 1, not_reported: 0 });
    const early = new Date(app.clock.now().getTime() - DAY_MS).toISOString();
    const wide = await compare({ payments: [lineOf(waiting)], from: early });
    expect(at(wide.body, 'counts')).toMatchObject({ matched: 1, not_reported: 3 });
  });

  it('whose amount has digits below the minor unit never agrees, and is shown as it came', async () => {
    const finer = await compare({ payments: [{ ...lineOf(right), amount: '10000.9' }] });
    expect(finer.body).toMatchObject({
      counts: { matched: 0, amount_differs: 1 },
      findings: [
        { kind: 'amount_differs', reported: { amount: '10000.9' }, posted: { id: right.id, amount: '10000' } },
      ],
    });
    const zeros = await compare({ payments: [{ ...lineOf(right), amount: '10000.00' }] });
    expect(at(zeros.body, 'counts')).toMatchObject({ matched: 1, amount_differs: 0 });
  });

  it('of another provider has nothing to do with these payments', async () => {
    const input = { provider: 'somebody_else', from, to, payments: report.slice(0, 1), isSetUp: true };
    expect(await reconcile(db, input)).toMatchObject({ ok: true, value: { findings: [{ kind: 'not_posted' }] } });
  });

  it.each([
    [{ payments: [{ ...report[0], amount: '-1' }] }, 'payment 1: amount: not_positive'],
    [{ payments: [report[0], { ...report[0], currency: 'ZZZ' }] }, 'payment 2: currency: '],
    [{ payments: [{ ...report[0], time: '2026-11-16' }] }, 'payment 1: time: '],
    [{ payments: [{ ...report[0], time: '2026-13-40T09:00:00Z' }] }, 'payment 1: time: '],
    [{ payments: [{ ...report[0], reference: 'a\u0000b' }] }, 'payment 1: reference: '],
    [{ payments: [7] }, 'payment 1: is not an object'],
    [{ payments: report, from: 'yesterday' }, 'from and to: '],
  ])('that cannot be read is refused, with the place: %j', async (body, words) => {
    const answer = await compare(body);
    expect(answer).toMatchObject({ status: 422, body: { error: 'report_invalid' } });
    expect(JSON.stringify(answer.body)).toContain(words);
  });

  it('that has several mistakes in one payment is refused with all of them, and with no more than can be read', async () => {
    const wrong = { reference: '', amount: 'x', currency: 'XOF', time: '2026-02-30T09:00:00Z' };
    const mistakes = [
      'reference: is not a text of 1 to 200 visible characters',
      'amount: not_a_number',
      'time: is not',
    ];
    const { body } = await compare({ payments: [report[0], wrong] });
    expect(at(body, 'details')).toEqual(mistakes.map((said) => expect.stringContaining(`payment 2: ${said}`)));
    const many = await compare({ payments: Array.from({ length: 10 }, () => wrong) });
    expect(at(many.body, 'details')).toHaveLength(20);
  });

  it('has at least one payment and no more than the bound', async () => {
    expect((await compare({ payments: [] })).status).toBe(422);
    const many = Array.from({ length: MAX_REPORT_LINES + 1 }, () => 0);
    expect(await compare({ payments: many })).toMatchObject({ status: 422, body: { error: 'invalid' } });
  });
});
