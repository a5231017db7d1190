import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { operatorCli, runCli } from '../operator/run-cli.ts';
import { PAPERS, startKyc } from './world.ts';

const kyc = await startKyc({ reviewsTwoPersons: 'true' });
const { app, newAccount, newSender, readSender, check, screening } = kyc;
const cli = await operatorCli(kyc);
const { data } = cli;
const lines = (...args: readonly string[]) => cli.lines('review', ...args);
const account = await newAccount({ kyc: 'documents' });

it('there is nobody to decide about at first', async () => {
  expect(await lines('list')).toEqual(['No sender waits for a decision.']);
});

it('a sender is listed, shown with papers and hits, and approved by two operators', async () => {
  screening.load('v1', [{ entryId: 'e-9', name: 'Ada Listed' }]);
  const sender = await newSender(account, { last_name: 'Listed', ...PAPERS });
  await check();
  app.clock.advance(2 * 3_600_000);
  const [head, row] = await lines('list', '--reason', 'match');
  expect(head).toBe(
    'Waits | Reason | Sender | Name | Country | State | Account | Documents | Hits | Score | Approved by',
  );
  expect(row).toBe(`2h | match | ${sender.id} | Ada Listed | GB | initial | Test | 1 | 1 | 0.95`);
  const shown = await lines('show', sender.id);
  expect(shown).toContain('last_name | Listed');
  expect(shown.find((line) => line.startsWith('passport.png'))).toContain(`${kyc.url}/operator/files/`);
  expect(shown).toContain('0.95 | secret-list | e-9 | Ada Listed | Ada Listed | the same name');
  expect(shown.find((line) => line.includes('| created | Ada Listed | v1 | 1 | initial | initial'))).toBeDefined();
  const [first] = await lines('approve', sender.id, '--reason', 'born elsewhere');
  expect(first).toContain('is initial');
  expect(first).toContain('approved by ada; another operator has to approve it too');
  const before = app.clock.now().toISOString();
  app.clock.advance(60_000);
  const bob = ['--operator-url', kyc.url, '--operator-token', kyc.bob];
  const run = await runCli(['review', 'approve', sender.id, '--reason', 'I agree', ...bob]);
  expect(run).toMatchObject({ code: 0, stdout: `${sender.id} is approved\n` });
  expect((await readSender(account, sender)).state).toBe('approved');
  const now = app.clock.now().toISOString();
  expect((await lines('show', sender.id)).slice(-6)).toEqual([
    'Reviewed | Outcome | First approved by | By | Reason',
    `${now} | approved | ada | bob | I agree`,
    '',
    'Decided | Decision | By | From | To | Reason',
    `${now} | approve | bob | initial | approved | I agree`,
    `${before} | approve | ada | initial | initial | born elsewhere`,
  ]);
});

it('a sender is rejected, lifted and banned, and not without a reason', async () => {
  const sender = await newSender(account, PAPERS);
  await check();
  const without = await runCli(['review', 'reject', sender.id, '--data', data]);
  expect(without).toMatchObject({ code: 1, stdout: '' });
  expect(without.stderr).toContain('--reason');
  expect(await lines('reject', sender.id, '--reason', 'blurred')).toEqual([`${sender.id} is rejected`]);
  expect(await lines('lift', sender.id, '--reason', 'a mistake')).toEqual([
    `${sender.id} is initial; its checks are due`,
  ]);
  expect(await lines('ban', sender.id, '--reason', 'fraud')).toEqual([`${sender.id} is banned`]);
  const again = await runCli(['review', 'ban', sender.id, '--reason', 'fraud', '--data', data]);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain('it is banned already');
});

it('documents are opened at the address by which the listener was reached, behind a proxy with a path too', async () => {
  const sender = await newSender(account, PAPERS);
  const proxy = createServer((request, response) => {
    const to = new URL(`${kyc.url}${request.url?.replace('/ops', '')}`);
    const { authorization = '' } = request.headers;
    get(to, { headers: { authorization } }, (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 500)));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const bob = ['--operator-url', `http://127.0.0.1:${port}/ops/`, '--operator-token', kyc.bob];
  const { stdout } = await runCli(['review', 'show', sender.id, '--json', ...bob]);
  const [document] = JSON.parse(stdout).sender.documents;
  expect(document.url).toContain(`http://127.0.0.1:${port}/ops/operator/files/`);
  expect((await fetch(document.url)).status).toBe(200);
  proxy.close();
});
