/** The calls that these tests make of a running program. What is not as it must be is thrown. */
import { bodyOfPayout } from '../support/payout.ts';
import type { Answer, SignedCaller } from '../support/signed-caller.ts';

export function valueAt(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (holder, step) => (typeof holder === 'object' && holder !== null ? Reflect.get(holder, step) : undefined),
    value,
  );
}

export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = valueAt(value, ...path);
  if (typeof found !== 'string') throw new Error(`no ${path.join('.')} in ${JSON.stringify(value)}`);
  return found;
}

/** In US dollars; gives the id. */
export async function createPayout(caller: SignedCaller, amount: number): Promise<string> {
  const { status, body, text } = await caller.post('/v1/transactions', bodyOfPayout({ amount }));
  if (status !== 201) throw new Error(`creation answered ${status}: ${text}`);
  return textAt(body, 'object', 'id');
}

export function debitFor(transactionId: string) {
  return { debit: { to_id: transactionId, to_type: 'Transaction' } };
}

export function fundPayout(caller: SignedCaller, transactionId: string): Promise<Answer> {
  return caller.post('/v1/accounts/debits', debitFor(transactionId));
}

export async function stateOf(caller: SignedCaller, transactionId: string): Promise<string> {
  return textAt(await objectAt(caller, `/v1/transactions/${transactionId}`), 'state');
}

/** Its money was taken: it waits to be paid out, or was. */
export async function isFunded(caller: SignedCaller, transactionId: string): Promise<boolean> {
  return ['received', 'paid'].includes(await stateOf(caller, transactionId));
}

export async function balanceOf(caller: SignedCaller, currency: string): Promise<number> {
  return Number(valueAt(await objectAt(caller, `/v1/accounts/${currency}`), 0, 'amount'));
}

/** All that a caller can see of the account: balances, and the transactions with everything in them. */
export async function everythingOf(caller: SignedCaller): Promise<unknown> {
  return {
    balances: await objectAt(caller, '/v1/accounts'),
    transactions: await objectAt(caller, '/v1/transactions'),
    senders: await objectAt(caller, '/v1/senders'),
  };
}

async function objectAt(caller: SignedCaller, path: string): Promise<unknown> {
  const { status, body, text } = await caller.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return valueAt(body, 'object');
}
