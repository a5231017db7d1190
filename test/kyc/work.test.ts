/** The loops as a process runs them: woken by calls and decisions, following the lists, stopped cleanly. */
import { afterAll, expect, it } from 'vitest';
import { senderWork } from '../../server/src/compose/sender-work.ts';
import { startWorkers } from '../../server/src/compose/start-workers.ts';
import { create } from '../support/transactions.ts';
import { until } from '../support/until.ts';
import { startKyc } from './world.ts';

/** Looks by itself so seldom that whatever happens there was woken. */
const woken = await startWorking('1m');
const SOON = { withinMs: 5_000 };
/** New lists are announced by nobody: a process finds them when it looks. */
const looking = await startWorking('50ms');

async function startWorking(workersPoll: string) {
  const kyc = await startKyc({ workersPoll });
  afterAll(startWorkers(kyc.app.ctx, senderWork(kyc.app.ctx, kyc.screening)));
  return kyc;
}

it('a sender is checked by itself when it is created, alone or with a transaction, and when a ban is lifted', async () => {
  const { newAccount, newSender, readSender, decide } = woken;
  const account = await newAccount({ kyc: 'review' });
  const sender = await newSender(account);
  const isVerified = async () => (await readSender(account, sender)).state === 'verified';
  await until('it is verified', isVerified, SOON);
  await decide('ban', sender);
  expect(await isVerified()).toBe(false);
  await decide('lift', sender);
  await until('it is verified', isVerified, SOON);
  const { sender: other } = await create(account.caller);
  await until('it is verified', async () => (await readSender(account, other)).state === 'verified', SOON);
});

it('new lists are followed without a restart, and so are the ones after them', async () => {
  const { newAccount, newSender, readSender, decide, screening } = looking;
  const account = await newAccount({ kyc: 'review' });
  const sender = await newSender(account, { last_name: 'Later' });
  const is = (state: string) => async () => (await readSender(account, sender)).state === state;
  await until('it is verified', is('verified'), SOON);
  expect((await decide('approve', sender)).status).toBe(200);
  screening.load('v2', [{ entryId: 'e-1', name: 'Ada Later' }]);
  await until('it is initial', is('initial'), SOON);
  screening.load('v3', []);
  await until('it is verified', is('verified'), SOON);
});
