/**
 * Rows of a collection in which the amount that was asked for comes in, or nothing does: what is arranged and done, and
 * what must then be true of states, code, amounts, events and books.
 * Spec: Transaction states, What the service does (3), Events. Open points OP-19 and OP-35.
 */
import {
  type CollectionRow,
  DONE,
  EVIDENCE,
  FAILED,
  GONE,
  NOTHING,
  SUSPENSE,
  UNPAID,
  WAITING,
} from './collection-row.ts';
import { BREAKING, OTHER_AMOUNTS, UNDER_REVIEW } from './collection-rows-apart.ts';

const PAYING: readonly CollectionRow[] = [
  {
    says: 'created: its payer is about to be prompted',
    rows: ['transaction: create_approved (creation)', 'recipient: create (creation)', 'payin: create (creation)'],
    isFresh: true,
    ...{ states: 'approved: initial initial', code: null, told: ['', ''], amounts: UNPAID, books: NOTHING },
  },
  {
    says: 'created before its sender is approved: nobody is prompted',
    rows: ['transaction: create_waiting (creation)'],
    waits: true,
    ...{ states: 'initial: initial initial', code: null, told: ['', ''], amounts: UNPAID, books: NOTHING },
  },
  {
    says: 'prompted once its sender is approved',
    rows: ['transaction: approve initial', 'payin: prompt initial'],
    waits: true,
    act: (one) => one.decides('approve'),
    ...WAITING,
    books: NOTHING,
  },
  {
    says: 'waiting for the one-time code',
    rows: ['payin: ask initial'],
    parts: [{ does: 'ask for the code' }],
    ...{
      states: 'approved: incomplete initial',
      code: '23',
      told: ['', 'incomplete'],
      amounts: UNPAID,
      books: NOTHING,
    },
  },
  {
    says: 'paid with the one-time code',
    rows: ['payin: prompt incomplete'],
    parts: [{ does: 'ask for the code' }],
    act: (one) => one.calls('patch', one.path, { in_details: { otp: '123456' } }),
    told: ['paid_in paid_out', 'incomplete pending paid_in'],
    ...DONE,
  },
  {
    says: 'paid: the money is in the balance',
    rows: ['payin: succeed pending', 'transaction: receive approved', 'transaction: pay received'],
    act: (one) => one.does({ does: 'pay' }),
    told: ['paid_in paid_out', 'pending paid_in'],
    ...DONE,
  },
  {
    says: 'waiting for the money to clear',
    rows: ['payin: process pending', 'transaction: clear approved'],
    act: (one) => one.does({ does: 'process' }),
    ...{ states: 'pending: processing initial', code: '14', told: ['', 'pending processing'] },
    amounts: UNPAID,
    books: NOTHING,
  },
  {
    says: 'paid when the money has cleared, also after the hour',
    rows: ['payin: succeed processing', 'transaction: receive pending'],
    parts: [{ does: 'process' }],
    act: async (one) => one.endOfHour().then(() => one.does({ does: 'pay' })),
    told: ['paid_in paid_out', 'pending processing paid_in'],
    ...DONE,
  },
];

const FAILING: readonly CollectionRow[] = [
  {
    says: 'failed when the payer was to be prompted',
    rows: ['payin: fail initial'],
    parts: [{ does: 'fail', code: '412' }],
    ...FAILED,
    ...{ code: '412', told: ['', 'error'] },
  },
  {
    says: 'failed after the prompt',
    rows: ['payin: fail pending'],
    act: (one) => one.does({ does: 'fail', code: '434' }),
    ...FAILED,
    ...{ code: '434', told: ['', 'pending error'] },
  },
  {
    says: 'failed while the one-time code was awaited',
    rows: ['payin: fail incomplete'],
    parts: [{ does: 'ask for the code' }],
    act: (one) => one.does({ does: 'fail', code: '415' }),
    ...FAILED,
    ...{ code: '415', told: ['', 'incomplete error'] },
  },
  {
    says: 'failed while the money cleared, within the hour',
    rows: ['payin: fail processing', 'transaction: bounce pending'],
    parts: [{ does: 'process' }],
    act: (one) => one.does({ does: 'fail', code: '434' }),
    ...FAILED,
    ...{ code: '434', told: ['', 'pending processing error'] },
  },
  {
    says: 'failed while the money cleared, after the hour: canceled',
    rows: ['transaction: bounce_late pending', 'payin: cancel error'],
    parts: [{ does: 'process' }],
    act: async (one) => one.endOfHour().then(() => one.does({ does: 'fail', code: '434' })),
    ...GONE,
    ...{ code: '434', told: ['canceled', 'pending processing error canceled'] },
  },
  {
    says: 'prompted again after an error',
    rows: ['payin: retry error'],
    parts: [{ does: 'fail', code: '412' }, { does: 'wait' }],
    act: (one) => one.calls('post', `${one.path}/retry`),
    ...WAITING,
    ...{ told: ['', 'error pending'], books: NOTHING },
  },
  {
    says: 'paid too little where the type allows no other amount: it waits for people, and the payer may try again',
    rows: [],
    act: (one) => one.does({ does: 'pay', minor: 9_000n }),
    ...FAILED,
    ...{ code: '45', told: ['', 'pending error'], books: { suspense: 9_000n, payin_settlement: -9_000n } },
  },
];

const ENDING: readonly CollectionRow[] = [
  {
    says: 'not paid within the hour',
    rows: ['transaction: expire approved', 'payin: cancel pending', 'recipient: expire initial'],
    act: (one) => one.endOfHour(),
    ...GONE,
    ...{ code: null, told: ['canceled', 'pending canceled'] },
  },
  {
    says: 'still without an approved sender after the hour',
    rows: ['transaction: expire initial', 'payin: cancel initial'],
    waits: true,
    act: (one) => one.endOfHour(),
    ...GONE,
    ...{ code: null, told: ['canceled', 'canceled'] },
  },
  {
    says: 'taken back by the caller while the code was awaited: its transaction waits for the end of its hour',
    rows: ['payin: cancel incomplete'],
    parts: [{ does: 'ask for the code' }],
    act: (one) => one.calls('delete', one.path),
    ...{ states: 'approved: canceled initial', code: null, told: ['', 'incomplete canceled'] },
    ...{ amounts: UNPAID, books: NOTHING },
  },
  {
    says: 'canceled through its recipient before anybody paid',
    rows: ['transaction: close approved', 'recipient: cancel initial'],
    act: (one) => one.calls('delete', `/v1/recipients/${one.created.recipients[0]?.id}`),
    ...GONE,
    ...{ code: null, told: ['canceled', 'pending canceled'] },
  },
  {
    says: 'canceled through its recipient before its sender is approved',
    rows: ['transaction: close initial'],
    waits: true,
    act: (one) => one.calls('delete', `/v1/recipients/${one.created.recipients[0]?.id}`),
    ...GONE,
    ...{ code: null, told: ['canceled', 'canceled'] },
  },
  {
    says: 'paid after the hour: it stays canceled, and the money waits for people',
    rows: [],
    act: async (one) => one.endOfHour().then(() => one.does({ does: 'pay' })),
    ...GONE,
    ...{ code: null, told: ['canceled', 'pending canceled'], books: SUSPENSE },
  },
  {
    says: 'paid after the hour and returned by an operator',
    rows: ['payin: refund canceled'],
    act: async (one) => {
      await one.endOfHour();
      await one.does({ does: 'pay' });
      await one.orders(`payins/${await one.suspended()}/return`, EVIDENCE);
    },
    ...GONE,
    ...{ states: 'canceled: refunded canceled', code: null, told: ['canceled', 'pending canceled refunded'] },
  },
  {
    says: 'taken back, paid and returned within the hour, and paid once more: that waits for people too',
    rows: [],
    act: async (one) => {
      await one.calls('delete', one.path);
      await one.does({ does: 'pay' });
      await one.orders(`payins/${await one.suspended()}/return`, EVIDENCE);
      await one.does({ does: 'pay' });
    },
    ...{ states: 'approved: refunded initial', code: null, told: ['', 'pending canceled refunded'] },
    ...{ amounts: UNPAID, books: SUSPENSE },
  },
  {
    says: 'paid, and given back by an operator',
    rows: ['payin: refund success'],
    parts: [{ does: 'pay' }],
    act: (one) => one.orders(`collections/${one.created.id}/refund`, EVIDENCE),
    ...DONE,
    ...{ states: 'paid: refunded success', told: ['paid_in paid_out', 'pending paid_in refunded'], books: NOTHING },
  },
];

export const COLLECTION_ROWS: readonly CollectionRow[] = [
  ...PAYING,
  ...FAILING,
  ...ENDING,
  ...OTHER_AMOUNTS,
  ...UNDER_REVIEW,
  ...BREAKING,
];
