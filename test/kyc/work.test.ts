/** The loops as a process runs them: woken by calls and decisions, following the lists, stopped cleanly. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { senderWork } from '../../server/src/compose/sender-work.ts';
import { startWorkers } from '../../server/src/compose/start-workers.ts';
import { create } from '../support/transactions.ts';
import { startKyc } from './world.ts';

/** Looks by itself so seldom that whatever happens there was woken. */
const woken = await startWorking('1m');
/** New lists are announced by nobody: a process finds them when it looks. */
const looking = await startWorking('50ms');

async function startWorking(workersPoll: string) {
  const kyc = await startKyc({ workersPoll });
  afterAll(startWorkers(kyc.app.ctx, senderWork(kyc.app.ctx, kyc.screening)));
  return kyc;
}

const MAX_LOOKS = 500;
const LOOK_EVERY_MS = 10;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    if (await isSo()) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error('it did not come');
}

it('a sender is checked by itself when it is created, alone or with a transaction, and when a ban is lifted', async () => {
  const { newAccount, newSender, readSender, decide } = woken;
  const account = await newAccount({ kyc: 'review' });
  const sender = await newSender(account);
  const isVerified = async () => (await readSender(account, sender)).state === 'verified';
  await until(isVerified);
  await decide('ban', sender);
  expect(await isVerified()).toBe(false);
  await decide('lift', sender);
  await until(isVerified);
  const { sender: other } = await create(account.caller);
  await until(async () => (await readSender(account, other)).state === 'verified');
});

it('new lists are followed without a restart, and so are the ones after them', async () => {
  const { newAccount, newSender, readSender, decide, screening } = looking;
  const account = await newAccount({ kyc: 'review' });
  const sender = await newSender(account, { last_name: 'Later' });
  const is = (state: string) => async () => (await readSender(account, sender)).state === state;
  await until(is('verified'));
  expect((await decide('approve', sender)).status).toBe(200);
  screening.load('v2', [{ entryId: 'e-1', name: 'Ada Later' }]);
  await until(is('initial'));
  screening.load('v3', []);
  await until(is('verified'));
});
