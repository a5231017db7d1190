/**
 * Rows of a collection that go another way: other amounts, reviews, and answers that cannot be recorded. Spec:
 * Transaction states (mispaid, processing, exception). Open points OP-19, OP-35 and OP-104.
 */
import { bankTransfer, type CollectionWish } from '../support/collections.ts';
import { type CollectionRow, DONE, EVIDENCE, HELD, NOTHING, PAID } from './collection-row.ts';
import { MINUTE_MS, WINDOW_MS } from './row-world.ts';

/** Half of a bank transfer, in kobo. */
const HALF = 500_000n;
const half = (place: string, times = 1n) => ({ [place]: HALF * times, payin_settlement: -HALF * times });
/** Into another currency, so that its rate is needed when another amount comes. */
const EXCHANGED: CollectionWish = bankTransfer({ balance: 'USD', amount: 100 });
/** What 100 USD are in NGN at the rate of the tests. */
const NGN_UNPAID = [152_540, 0, 152_540] as const;
/** The payment that could not be recorded is five kobo. */
const BROKEN = { code: null, amounts: NGN_UNPAID, books: { suspense: 5n, payin_settlement: -5n } } as const;
const TWO_HALVES = { held: HALF, suspense: HALF, payin_settlement: -2n * HALF } as const;

const MISPAID = { wish: bankTransfer(), parts: [{ does: 'pay', minor: HALF }] } as const;
export const OTHER_AMOUNTS: readonly CollectionRow[] = [
  {
    says: 'paid half: what is missing is due until the window ends',
    rows: ['payin: mispay pending', 'transaction: mispay approved'],
    ...MISPAID,
    ...{ states: 'mispaid: mispaid initial', code: '0', told: ['mispaid', 'pending mispaid'] },
    ...{ amounts: [10_000, 5_000, 5_000], books: half('held') },
  },
  {
    says: 'paid half: it is that half when the window ends',
    rows: ['transaction: pay mispaid'],
    ...MISPAID,
    act: (one) => one.travel(WINDOW_MS + MINUTE_MS),
    ...{ states: 'paid: mispaid success', code: '0', told: ['mispaid paid_out', 'pending mispaid'] },
    ...{ amounts: [5_000, 5_000, 0], books: half('balance') },
  },
  {
    says: 'paid in two halves within the window: received',
    rows: ['payin: succeed mispaid', 'transaction: receive mispaid'],
    ...MISPAID,
    act: (one) => one.does({ does: 'pay', minor: HALF }),
    ...{ states: 'paid: success success', code: '0' },
    ...{ told: ['mispaid paid_in paid_out', 'pending mispaid paid_in'], amounts: PAID, books: half('balance', 2n) },
  },
  {
    says: 'paid half and then more than the rest: it adds up, and nothing is due any more',
    rows: ['payin: mispay mispaid', 'transaction: mispay mispaid'],
    ...MISPAID,
    act: (one) => one.does({ does: 'pay', minor: 2n * HALF }),
    ...{ states: 'mispaid: mispaid initial', code: '0', told: ['mispaid mispaid', 'pending mispaid mispaid'] },
    ...{ amounts: [10_000, 15_000, 0], books: half('held', 3n) },
  },
  {
    says: 'paid half when the money has cleared',
    rows: ['payin: mispay processing', 'transaction: mispay pending'],
    ...{ wish: bankTransfer(), parts: [{ does: 'process' }] },
    act: (one) => one.does({ does: 'pay', minor: HALF }),
    ...{ states: 'mispaid: mispaid initial', code: '0', told: ['mispaid', 'pending processing mispaid'] },
    ...{ amounts: [10_000, 5_000, 5_000], books: half('held') },
  },
  {
    says: 'paid half, paid out, and the other half too late: that waits for people',
    rows: [],
    ...MISPAID,
    act: async (one) => one.travel(WINDOW_MS + MINUTE_MS).then(() => one.does({ does: 'pay', minor: HALF })),
    ...{ states: 'paid: mispaid success', code: '0', told: ['mispaid paid_out', 'pending mispaid'] },
    ...{ amounts: [5_000, 5_000, 0], books: { balance: HALF, suspense: HALF, payin_settlement: -2n * HALF } },
  },
  {
    says: 'paid half, and that given back by an operator',
    rows: ['payin: refund mispaid'],
    ...MISPAID,
    act: async (one) => {
      await one.travel(WINDOW_MS + MINUTE_MS);
      await one.orders(`collections/${one.created.id}/refund`, EVIDENCE);
    },
    ...{ states: 'paid: refunded success', code: '0', told: ['mispaid paid_out', 'pending mispaid refunded'] },
    ...{ amounts: [5_000, 5_000, 0], books: NOTHING },
  },
];

export const UNDER_REVIEW: readonly CollectionRow[] = [
  {
    says: 'paid and held by a rule: not in the balance yet',
    rows: ['transaction: hold received'],
    ...{ isHeld: true, parts: [{ does: 'pay' }] },
    ...{ states: 'processing: success initial', code: '0', told: ['paid_in', 'pending paid_in'] },
    ...{ amounts: PAID, books: HELD },
  },
  {
    says: 'released by an operator: in the balance',
    rows: ['transaction: release processing'],
    ...{ isHeld: true, parts: [{ does: 'pay' }] },
    act: (one) => one.orders(`holds/${one.created.id}/release`),
    told: ['paid_in paid_out', 'pending paid_in'],
    ...DONE,
  },
  {
    says: 'released and given back by an operator',
    rows: [],
    ...{ isHeld: true, parts: [{ does: 'pay' }] },
    act: async (one) => {
      await one.orders(`holds/${one.created.id}/release`);
      await one.orders(`collections/${one.created.id}/refund`, EVIDENCE);
    },
    ...DONE,
    ...{ states: 'paid: refunded success', told: ['paid_in paid_out', 'pending paid_in refunded'], books: NOTHING },
  },
  {
    says: 'paid half and held by a rule when the window ends: what comes meanwhile waits for people',
    rows: ['transaction: hold mispaid'],
    ...MISPAID,
    isHeld: true,
    act: async (one) => one.travel(WINDOW_MS + MINUTE_MS).then(() => one.does({ does: 'pay', minor: HALF })),
    ...{ states: 'processing: mispaid initial', code: '0', told: ['mispaid', 'pending mispaid'] },
    ...{ amounts: [5_000, 5_000, 0], books: { held: HALF, suspense: HALF, payin_settlement: -2n * HALF } },
  },
  {
    says: 'paid half, held and released after the window: that half is in the balance',
    rows: [],
    ...MISPAID,
    isHeld: true,
    act: async (one) => {
      await one.travel(WINDOW_MS + MINUTE_MS);
      await one.orders(`holds/${one.created.id}/release`);
    },
    ...{ states: 'paid: mispaid success', code: '0', told: ['mispaid paid_out', 'pending mispaid'] },
    ...{ amounts: [5_000, 5_000, 0], books: half('balance') },
  },
];

/** Answers that cannot be recorded: the work stops, what was paid waits in suspense, and people decide. */
export const BREAKING: readonly CollectionRow[] = [
  {
    says: 'broken by the answer to the prompt',
    rows: ['payin: break initial', 'transaction: break approved'],
    ...{ wish: EXCHANGED, parts: [{ does: 'pay', minor: 5n }], isFresh: true },
    act: (one) => one.promptBroken(),
    ...{ states: 'exception: exception initial', told: ['', 'exception'] },
    ...BROKEN,
  },
  ...(
    [
      ['incomplete', { does: 'ask for the code' }, 'incomplete'],
      ['pending', { does: 'wait' }, 'pending'],
      ['error', { does: 'fail', code: '412' }, 'error'],
    ] as const
  ).map(
    ([state, part, before]): CollectionRow => ({
      says: `broken while its payin method was ${state}`,
      rows: [`payin: break ${state}`],
      ...{ wish: EXCHANGED, parts: [part] },
      act: (one) => one.thenBroken({ does: 'pay', minor: 5n }),
      ...{ states: 'exception: exception initial', told: ['', `${before} exception`] },
      ...BROKEN,
    }),
  ),
  {
    says: 'broken while the money cleared',
    rows: ['payin: break processing', 'transaction: break pending'],
    ...{ wish: EXCHANGED, parts: [{ does: 'process' }] },
    act: (one) => one.thenBroken({ does: 'pay', minor: 5n }),
    ...{ states: 'exception: exception initial', told: ['', 'pending processing exception'] },
    ...BROKEN,
  },
  {
    says: 'broken by a second payment: the first one is still held',
    rows: ['payin: break mispaid', 'transaction: break mispaid'],
    ...{ wish: EXCHANGED, parts: [{ does: 'pay', minor: HALF }] },
    act: (one) => one.thenBroken({ does: 'pay', minor: HALF }),
    ...{ states: 'exception: exception initial', told: ['mispaid', 'pending mispaid exception'] },
    ...{ code: null, amounts: [152_540, 5_000, 147_540], books: TWO_HALVES },
  },
  {
    says: 'broken without money and resolved: it ends, and what came is in the balance once it is accepted',
    rows: ['payin: abandon exception', 'transaction: abandon exception'],
    ...{ wish: EXCHANGED, parts: [{ does: 'wait' }] },
    act: async (one) => {
      await one.thenBroken({ does: 'pay', minor: 5n });
      await one.orders(`collections/${one.created.id}/resolve`);
      await one.orders(`payins/${await one.suspended()}/accept`);
    },
    ...{ states: 'canceled: canceled canceled', told: ['canceled', 'pending exception canceled'] },
    ...{ code: null, amounts: [152_540, 0, 152_540], books: { balance: 5n, payin_settlement: -5n } },
  },
  {
    says: 'broken by a second payment and resolved: the first one is in the balance, the second goes back',
    rows: ['payin: settle_paid exception', 'transaction: resolve exception'],
    ...{ wish: EXCHANGED, parts: [{ does: 'pay', minor: HALF }] },
    act: async (one) => {
      await one.thenBroken({ does: 'pay', minor: HALF });
      await one.orders(`collections/${one.created.id}/resolve`);
      await one.orders(`payins/${await one.suspended()}/return`, EVIDENCE);
    },
    ...{ states: 'paid: success success', told: ['mispaid paid_out', 'pending mispaid exception paid_in'] },
    ...{ code: '0', amounts: [5_000, 5_000, 0], books: { exchange: HALF, payin_settlement: -HALF } },
  },
];
