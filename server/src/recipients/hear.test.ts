/** Every answer in every state: only moves of the table, no money twice, and unknown is never taken for failed. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { anAttempt, aRecipient, POLICY } from '../../../test/support/recipients.ts';
import type { PayoutAnswer } from '../providers/payout-provider.ts';
import { cancelerOf } from './canceler.ts';
import { refunded } from './effects.ts';
import { hear } from './hear.ts';
import { nextAskAt } from './pace.ts';
import { reasonOf, waitReasonOf } from './state-reason.ts';
import { type RecipientState, recipientTable } from './states.ts';

const SILENCE: PayoutAnswer = { kind: 'unknown', why: 'silence' };
const OUTPUT = aRecipient().outputAmount;
const ANSWERS: Readonly<Record<string, PayoutAnswer>> = {
  paid: { kind: 'paid' },
  overpaid: { kind: 'paid', paidMinor: OUTPUT + 1n },
  underpaid: { kind: 'paid', paidMinor: OUTPUT - 1n },
  'paid nothing': { kind: 'paid', paidMinor: 0n },
  'paid too much to be true': { kind: 'paid', paidMinor: 10n ** 15n },
  failed: { kind: 'failed', code: '3' },
  down: { kind: 'failed', code: '3', isDown: true },
  'failed as paid': { kind: 'failed', code: '0' },
  'failed as pending': { kind: 'failed', code: '14' },
  'failed as there already': { kind: 'failed', code: '33' },
  'failed as not there yet': { kind: 'failed', code: '331' },
  'failed as never taken': { kind: 'failed', code: '331', isNotTaken: true },
  'paid in another currency': { kind: 'paid', paidMinor: OUTPUT, paidCurrency: 'USD' },
  pending: { kind: 'pending', code: '14' },
  unknown: SILENCE,
};
const OUTCOMES = [null, 'paid', 'failed'] as const;

/** Each state with what its last attempt can have come to. */
const STATES: readonly (readonly [RecipientState, (typeof OUTCOMES)[number]])[] = [
  ['pending', null],
  ['stuck', null],
  ['success', 'paid'],
  ['success', null],
  ['error', 'failed'],
  ['manual', 'failed'],
  ['overpaid', 'paid'],
  ['refunded', 'failed'],
  ['refunded', 'paid'],
  ['exception', 'paid'],
  ['exception', null],
];

const ARRIVED_MS = POLICY.leaseMs + POLICY.arrivesWithinMs;

const cases = STATES.flatMap(([state, outcome]) =>
  Object.keys(ANSWERS).flatMap((name) =>
    [false, true].flatMap((isCash) =>
      [false, true].map((isCanceling) => ({ state, outcome, name, isCash, isCanceling })),
    ),
  ),
);

function hearCase({ state, outcome, name, isCash, isCanceling }: (typeof cases)[number]) {
  const cancelRequestedAt = isCanceling ? NOON : null;
  const recipient = aRecipient({ state, cancelRequestedAt, errorCount: 1 });
  const ended = outcome === null ? {} : { outcome, endedAt: NOON, decidedBy: 'provider' as const };
  const attempt = anAttempt(ended);
  const answer = ANSWERS[name];
  if (!answer) throw new Error('an answer by name');
  return hear({ recipient, attempt, answer, by: 'provider', isCash, now: NOON, sureNow: NOON, policy: POLICY });
}

/** Steps of one commit: failed and given up, canceled and refunded. */
function isAllowed(from: RecipientState, to: RecipientState): boolean {
  if (from === to || recipientTable.leads(from, to)) return true;
  return (['error', 'canceled'] as const).some((by) => recipientTable.leads(from, by) && recipientTable.leads(by, to));
}

describe('every answer in every state', () => {
  it.each(cases)('$state, attempt $outcome, hears $name (cash $isCash, canceling $isCanceling)', (each) => {
    const { recipient, money, attempt } = hearCase(each);
    expect(isAllowed(each.state, recipient.state)).toBe(true);
    const isFinal = ['success', 'overpaid', 'refunded', 'exception'].includes(each.state);
    const names = money.map(({ entry }) => entry);
    // Paid out or refunded at most once, and never what was so before.
    expect(names.filter((name) => name === 'pay_out' || name === 'refund').length).toBe(
      !isFinal && ['success', 'overpaid', 'refunded'].includes(recipient.state) ? 1 : 0,
    );
    const provesNothing = ['unknown', 'pending', 'failed as paid', 'failed as pending', 'paid nothing'];
    provesNothing.push('failed as there already', 'failed as not there yet', 'paid in another currency');
    if (each.outcome === 'paid') provesNothing.push('down');
    if (provesNothing.includes(each.name)) {
      expect([recipient.state, attempt.outcome, names]).toEqual([each.state, each.outcome, []]);
    }
    // What is open is looked at again.
    if (attempt.outcome === null) expect(recipient.nextAttemptAt).not.toBeNull();
  });

  it.each(cases)('$state, attempt $outcome, hears $name twice (cash $isCash, canceling $isCanceling)', (each) => {
    const first = hearCase(each);
    const answer = ANSWERS[each.name];
    if (!answer || first.attempt.outcome === null) return;
    const said = { answer, by: 'provider', isCash: each.isCash, now: NOON, sureNow: NOON, policy: POLICY } as const;
    const again = hear({ recipient: first.recipient, attempt: first.attempt, ...said });
    expect([again.money, again.events]).toEqual([[], []]);
  });
});

describe('money that went out after everything was over', () => {
  it.each([
    ['refunded', 'exception', { entry: 'paid_after_refund', minor: OUTPUT }],
    ['success', 'overpaid', { entry: 'overpaid_excess', minor: OUTPUT }],
    ['overpaid', 'overpaid', { entry: 'overpaid_excess', minor: OUTPUT }],
  ] as const)('by an attempt that had failed is in the books: %s becomes %s', (state, after, posted) => {
    const attempt = anAttempt({ outcome: 'failed', endedAt: NOON, decidedBy: 'provider' });
    const said = { answer: { kind: 'paid' }, by: 'provider', isCash: false } as const;
    const heard = hear({
      recipient: aRecipient({ state }),
      attempt,
      ...said,
      now: NOON,
      sureNow: NOON,
      policy: POLICY,
    });
    expect([heard.recipient.state, heard.money]).toEqual([after, [posted]]);
  });
});

describe('an older attempt that was paid after all', () => {
  it.each([
    ['error', 'the newer one has failed', null],
    ['manual', 'the newer one has failed', null],
    ['pending', 'the newer one is open and may be paid as well', NOON],
  ] as const)('ends a recipient in %s; %s', (state, _, nextAttemptAt) => {
    const recipient = aRecipient({ state, attemptId: 'the newer one', nextAttemptAt: NOON });
    const attempt = anAttempt({ outcome: 'failed', endedAt: NOON, decidedBy: 'provider' });
    const said = { answer: { kind: 'paid' }, by: 'provider', isCash: false } as const;
    const heard = hear({ recipient, attempt, ...said, now: NOON, sureNow: NOON, policy: POLICY });
    expect(heard.recipient).toMatchObject({ state: 'success', nextAttemptAt });
    const inPart = { kind: 'paid', paidMinor: OUTPUT - 1n } as const;
    const broken = hear({ recipient, attempt, ...said, answer: inPart, now: NOON, sureNow: NOON, policy: POLICY });
    expect(broken.recipient).toMatchObject({ state: 'exception', nextAttemptAt });
  });
});

it('a failure of what was to be canceled is its end: the money goes back, and nothing is tried again', () => {
  const recipient = aRecipient({ state: 'pending', cancelRequestedAt: NOON });
  const said = { answer: { kind: 'failed', code: '3' }, by: 'provider', isCash: false } as const;
  const heard = hear({ recipient, attempt: anAttempt(), ...said, now: NOON, sureNow: NOON, policy: POLICY });
  expect(heard.recipient).toMatchObject({ state: 'refunded', nextAttemptAt: null });
  expect([heard.money, heard.events]).toEqual([[{ entry: 'refund' }], []]);
});

it.each(['14', '21'])('what is refunded waits for nothing: code %s is shown no more', (code) => {
  const { details } = waitReasonOf(code);
  const recipient = aRecipient({ state: 'pending', cancelRequestedAt: NOON, stateReasonDetails: details });
  const said = { answer: { kind: 'failed', code: '54' }, by: 'provider', isCash: true } as const;
  const heard = hear({ recipient, attempt: anAttempt({ code }), ...said, now: NOON, sureNow: NOON, policy: POLICY });
  expect(heard.recipient).toMatchObject({ state: 'refunded', stateReason: null, stateReasonDetails: null });
  expect(heard.attempt.code).toBe('54');
});

it('what is refunded after a failure still shows why it failed', () => {
  const { text, details } = reasonOf('416');
  const recipient = aRecipient({ state: 'error', stateReason: text, stateReasonDetails: details });
  const end = { ...cancelerOf('caller'), endedAt: NOON };
  const { recipient: after } = refunded(recipient, 'cancel', end);
  expect(after).toMatchObject({ stateReason: text, stateReasonDetails: details, ...end });
});

it.each([
  ['only the clock was put forward', 0, 'pending'],
  ['nothing of it can be on its way', ARRIVED_MS, 'error'],
])('an order that is not there is not believed to be lost before it surely is: %s', (_, passedMs, state) => {
  const attempt = anAttempt({ sentAt: NOON });
  const said = { answer: { kind: 'failed', code: '331' }, by: 'provider', isCash: false } as const;
  const now = new Date(NOON.getTime() + ARRIVED_MS);
  const sureNow = new Date(NOON.getTime() + passedMs);
  const heard = hear({ recipient: aRecipient({ state: 'pending' }), attempt, ...said, now, sureNow, policy: POLICY });
  expect(heard.recipient.state).toBe(state);
});

describe('silence', () => {
  it.each([
    [POLICY.stuckAfterMs - 1, 'pending'],
    [POLICY.stuckAfterMs, 'stuck'],
  ])('of %d ms leaves it %s', (silentMs, state) => {
    const attempt = anAttempt({ startedAt: new Date(NOON.getTime() - silentMs) });
    const said = { answer: { kind: 'unknown', why: '' }, by: 'provider', isCash: false } as const;
    const heard = hear({
      recipient: aRecipient({ state: 'pending' }),
      attempt,
      ...said,
      now: NOON,
      sureNow: NOON,
      policy: POLICY,
    });
    expect(heard.recipient.state).toBe(state);
  });
});

it.each(['pending', 'unknown'])('an answer of %s is counted, so that the next question comes later', (name) => {
  const attempt = anAttempt({ asks: 3 });
  const answer = ANSWERS[name] ?? SILENCE;
  const said = { answer, by: 'provider', isCash: false, now: NOON, sureNow: NOON, policy: POLICY } as const;
  const heard = hear({ recipient: aRecipient({ state: 'pending' }), attempt, ...said });
  expect(heard.attempt.asks).toBe(4);
  expect(heard.recipient.nextAttemptAt).toEqual(nextAskAt(anAttempt({ asks: 4 }), NOON, POLICY));
});

describe('a payment reference', () => {
  const REFERENCE = { payment_reference: 'MTCN 1' };

  it.each([
    ['of cash is told, since the recipient needs it', true, {}, ['recipient.pending']],
    ['of cash that was told before is not told again', true, REFERENCE, []],
    ['of any other payout is only kept', false, {}, []],
  ])('%s', (_, isCash, metadata, events) => {
    const answer = { kind: 'pending', facts: { paymentReference: 'MTCN 1' } } as const;
    const recipient = aRecipient({ state: 'pending', metadata });
    const said = { answer, by: 'provider', isCash, now: NOON, sureNow: NOON, policy: POLICY } as const;
    const heard = hear({ recipient, attempt: anAttempt(), ...said });
    expect([heard.recipient.metadata, heard.events]).toEqual([REFERENCE, events]);
  });

  it('that comes with the word that it was paid is kept as well', () => {
    const answer = { kind: 'paid', facts: { paymentReference: 'MTCN 1' } } as const;
    const said = { answer, by: 'provider', isCash: true, now: NOON, sureNow: NOON, policy: POLICY } as const;
    const heard = hear({ recipient: aRecipient({ state: 'pending' }), attempt: anAttempt(), ...said });
    expect([heard.recipient.state, heard.recipient.metadata]).toEqual(['success', REFERENCE]);
  });
});

describe('errors', () => {
  it.each([
    [POLICY.errorsBeforeManual - 2, 'error'],
    [POLICY.errorsBeforeManual - 1, 'manual'],
  ])('after %d before it the next one makes it %s', (errorCount, state) => {
    const said = { answer: { kind: 'failed', code: '416' }, by: 'provider', isCash: false } as const;
    const recipient = aRecipient({ state: 'pending', errorCount });
    const heard = hear({ recipient, attempt: anAttempt(), ...said, now: NOON, sureNow: NOON, policy: POLICY });
    expect([heard.recipient.state, heard.recipient.nextAttemptAt === null]).toEqual([state, state === 'manual']);
    expect(heard.events).toEqual(['recipient.error']);
  });
});
