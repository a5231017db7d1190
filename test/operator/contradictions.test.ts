/** A provider that contradicts what was known of a payout: both words are kept, with their times. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import { type Part, ScriptedProvider } from '../providers/scripted-provider.ts';
import { read } from '../support/payouts.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { startPayoutService } from './payout-service.ts';
import { operatorCli } from './run-cli.ts';
import { at, auditEntries } from './support.ts';

const provider = new ScriptedProvider();
const service = await startPayoutService({
  providers: [provider],
  flags: { payoutsErrorsBeforeManual: '1', payoutsStuckAfter: '1m', providersPauseAfter: '1000' },
});
const { app, db, call, payTo, order } = service;
const { lines } = await operatorCli(service);
afterAll(() => expectSoundLedger(db));
// Each step of a test has a time of its own.
beforeEach(() => app.clock.advance(1_000));

const EVIDENCE = { evidence: 'statement of 12 November, line 7' };
const DENIED: PayoutAnswer = { kind: 'failed', code: '543' };
const PAID: PayoutAnswer = { kind: 'paid' };
const now = () => app.clock.now().toISOString();

type Payout = Awaited<ReturnType<typeof payTo>>;

/** A payout of which the first attempt comes to this. */
const pay = (part: Part) => payTo('Anybody', ({ id }) => provider.script(id, part));

/** The provider speaks of its own accord, a second later. */
async function says({ recipient }: Payout, answer: PayoutAnswer): Promise<string> {
  app.clock.advance(1_000);
  const { headers, rawBody } = provider.callback(provider.referencesOf(recipient.id).at(-1) ?? '', answer);
  const init = { method: 'POST', headers: Object(headers), body: new Uint8Array(rawBody) };
  expect((await fetch(`${app.baseUrl}/providers/scripted/callbacks`, init)).status).toBe(200);
  return now();
}

async function seen({ recipient }: Payout) {
  const { body } = await call('GET', `/operator/recipients/${recipient.id}`);
  return { state: at(body, 'recipient', 'state'), contradictions: at(body, 'contradictions') };
}

const amountIn = async ({ recipient }: Payout) => {
  const { body } = await call('GET', `/operator/recipients/${recipient.id}`);
  return at(body, 'recipient', 'output_amount');
};

describe('a provider', () => {
  it('that says failed after paid is shown with both words, and when each was said', async () => {
    const payout = await pay({ does: 'pay' });
    const paidAt = now();
    expect(await seen(payout)).toEqual({ state: 'success', contradictions: [] });
    const deniedAt = await says(payout, DENIED);
    const about = { attempt: 1, provider: 'scripted', by: 'provider' };
    expect(await seen(payout)).toEqual({
      state: 'exception',
      contradictions: [
        {
          audit_id: expect.any(String),
          known: { ...about, outcome: 'paid', code: '0', paid_amount: await amountIn(payout), at: paidAt },
          heard: { ...about, outcome: 'failed', code: '543', paid_amount: null, at: deniedAt },
        },
      ],
    });
  });

  it('that says paid after failed and refunded is shown with both words', async () => {
    const payout = await pay({ does: 'fail', code: '416' });
    const failedAt = now();
    app.clock.advance(1_000);
    expect((await order(payout.recipient, 'cancel')).status).toBe(200);
    const paidAt = await says(payout, PAID);
    expect(await seen(payout)).toMatchObject({
      state: 'exception',
      contradictions: [
        {
          known: { outcome: 'failed', code: '416', paid_amount: null, by: 'provider', at: failedAt },
          heard: { outcome: 'paid', code: null, paid_amount: await amountIn(payout), by: 'provider', at: paidAt },
        },
      ],
    });
  });

  it('that contradicts an operator is told from the operator', async () => {
    const payout = await pay({ does: 'wait', submit: 'throws', status: 'throws' });
    await app.engine.travel(120_000);
    expect((await order(payout.recipient, 'mark-paid', EVIDENCE)).status).toBe(200);
    await says(payout, DENIED);
    expect(await seen(payout)).toMatchObject({
      state: 'exception',
      contradictions: [{ known: { outcome: 'paid', by: 'operator' }, heard: { outcome: 'failed', by: 'provider' } }],
    });
  });

  it('that pays a part of what it had reported as failed contradicts itself as well', async () => {
    const payout = await pay({ does: 'fail', code: '416' });
    await says(payout, { kind: 'paid', paidMinor: 1n });
    expect(await seen(payout)).toMatchObject({
      state: 'exception',
      contradictions: [{ known: { outcome: 'failed' }, heard: { outcome: 'paid', paid_amount: '0.01' } }],
    });
  });

  it('that denies a part that it had paid contradicts itself, although people are needed already', async () => {
    const payout = await pay({ does: 'pay', minor: 1n });
    expect(await seen(payout)).toEqual({ state: 'exception', contradictions: [] });
    await says(payout, { kind: 'failed', code: '3', isDown: true });
    expect(await seen(payout)).toEqual({ state: 'exception', contradictions: [] });
    const deniedAt = await says(payout, DENIED);
    expect(await seen(payout)).toMatchObject({
      contradictions: [{ known: { outcome: 'paid', paid_amount: '0.01' }, heard: { code: '543', at: deniedAt } }],
    });
  });

  it('that paid a part and then speaks of more is shown with both amounts, before people give back the rest', async () => {
    const payout = await pay({ does: 'pay', minor: 1n });
    await says(payout, { kind: 'paid', paidMinor: 1n });
    await says(payout, PAID);
    expect(await seen(payout)).toEqual({ state: 'exception', contradictions: [] });
    const whole: PayoutAnswer = { kind: 'paid', paidMinor: 2n };
    const correctedAt = await says(payout, whole);
    await says(payout, whole);
    expect((await seen(payout)).contradictions).toMatchObject([
      {
        known: { outcome: 'paid', paid_amount: '0.01' },
        heard: { outcome: 'paid', paid_amount: '0.02', at: correctedAt },
      },
    ]);
  });

  it('that speaks of more once the rest was given back is not taken for one that repeats itself', async () => {
    const payout = await pay({ does: 'pay', minor: 1n });
    expect((await order(payout.recipient, 'settle-part', EVIDENCE)).status).toBe(200);
    const { accountId } = payout.account;
    expect(await ledgerOf(db, accountId, 'NGN')).toEqual({ exchange: -1n, payout_settlement: 1n });
    await says(payout, { kind: 'paid', paidMinor: 1n });
    await says(payout, PAID);
    expect(await seen(payout)).toEqual({ state: 'refunded', contradictions: [] });
    const more: PayoutAnswer = { kind: 'paid', paidMinor: 3n };
    const heardAt = await says(payout, more);
    await says(payout, more);
    expect(await seen(payout)).toMatchObject({
      state: 'exception',
      contradictions: [{ known: { paid_amount: '0.01' }, heard: { paid_amount: '0.03', at: heardAt } }],
    });
    // Our loss: the account keeps what it got back.
    expect(await ledgerOf(db, accountId, 'NGN')).toEqual({ exchange: -3n, payout_settlement: 3n });
  });

  it('that denies a part of which the rest was given back contradicts itself', async () => {
    const payout = await pay({ does: 'pay', minor: 1n });
    expect((await order(payout.recipient, 'settle-part', EVIDENCE)).status).toBe(200);
    await says(payout, { kind: 'failed', code: '3', isDown: true });
    expect(await seen(payout)).toEqual({ state: 'refunded', contradictions: [] });
    await says(payout, DENIED);
    expect(await seen(payout)).toMatchObject({
      state: 'exception',
      contradictions: [{ known: { outcome: 'paid', paid_amount: '0.01' }, heard: { outcome: 'failed', code: '543' } }],
    });
  });

  it('that repeats itself is told once; that goes back to its first word, not at all', async () => {
    const payout = await pay({ does: 'pay' });
    const deniedAt = await says(payout, DENIED);
    await says(payout, DENIED);
    await says(payout, PAID);
    const other = await says(payout, { kind: 'failed', code: '3' });
    await says(payout, DENIED);
    expect((await seen(payout)).contradictions).toMatchObject([
      { heard: { code: '543', at: deniedAt } },
      { heard: { code: '3', at: other } },
    ]);
  });

  it.each([
    ['pays what it had reported as failed', { does: 'fail', code: '416' }, PAID, 'success'],
    ['pays less than was ordered', { does: 'wait' }, { kind: 'paid', paidMinor: 1n }, 'exception'],
    ['takes no orders any more', { does: 'pay' }, { kind: 'failed', code: '3', isDown: true }, 'success'],
  ] as const)('that %s contradicts nothing', async (_, part, answer, state) => {
    const payout = await pay(part);
    await says(payout, answer);
    expect(await seen(payout)).toEqual({ state, contradictions: [] });
  });
});

describe('a contradiction', () => {
  it('stays when people have decided, and each further one is added', async () => {
    const payout = await pay({ does: 'pay' });
    await says(payout, DENIED);
    expect((await order(payout.recipient, 'mark-paid', EVIDENCE)).status).toBe(200);
    expect(await seen(payout)).toMatchObject({ state: 'success', contradictions: [{ known: { by: 'provider' } }] });
    await says(payout, { kind: 'failed', code: '3' });
    expect(await seen(payout)).toMatchObject({
      state: 'exception',
      contradictions: [
        { known: { by: 'provider' }, heard: { code: '543' } },
        { known: { by: 'operator' }, heard: { code: '3' } },
      ],
    });
  });

  it('is told again when the provider says the same against what people have decided', async () => {
    const payout = await pay({ does: 'pay' });
    await says(payout, DENIED);
    expect((await order(payout.recipient, 'mark-paid', EVIDENCE)).status).toBe(200);
    const again = await says(payout, DENIED);
    expect(await seen(payout)).toMatchObject({
      state: 'exception',
      contradictions: [
        { known: { by: 'provider' }, heard: { code: '543' } },
        { known: { by: 'operator' }, heard: { code: '543', at: again } },
      ],
    });
  });

  it('is a line of the audit log that no operator wrote, and changes nothing for the caller', async () => {
    const payout = await pay({ does: 'pay' });
    const deniedAt = await says(payout, DENIED);
    expect(await auditEntries(service, `&subject=${payout.recipient.id}`)).toMatchObject([
      { operator: 'system', action: 'recipient.contradicted', at: deniedAt },
    ]);
    expect((await read(payout.account, payout.transaction)).recipient).toMatchObject({
      state: 'exception',
      state_reason: 'It was reported as failed after it was paid.',
      state_reason_details: null,
    });
  });

  it('is in payferry recipient show', async () => {
    const payout = await pay({ does: 'pay' });
    const paidAt = now();
    const deniedAt = await says(payout, DENIED);
    const shown = await lines('recipient', 'show', payout.recipient.id);
    expect(shown.slice(-2)).toEqual([
      'Contradiction of attempt | Was known | Since | Then heard | At',
      `1 | paid ${await amountIn(payout)}, by provider | ${paidAt} | failed with code 543, by provider | ${deniedAt}`,
    ]);
  });
});
