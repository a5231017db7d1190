/** Operators attach proofs of payment: by the operator API and by the command line. Audited. Open point OP-158. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_PROOF_BYTES, MAX_PROOFS } from '../../server/src/recipients/proof.ts';
import { startApp } from '../support/app.ts';
import { fundPayout } from '../support/payouts.ts';
import { runCli } from './run-cli.ts';
import { auditEntries, startOperatorService, textAt } from './support.ts';

const service = await startOperatorService();
const app = await startApp({ db: service.db });
const account = await app.newAccount({ balances: { USD: 10_000_000n } });
const directory = await mkdtemp(join(tmpdir(), 'payferry-proofs-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const SLIP = Buffer.from('%PDF-1.4 slip');

async function paid(lastName = 'Paid'): Promise<string> {
  const payout = await fundPayout(account, lastName);
  await app.engine.run();
  return payout.recipient.id;
}

function attach(
  recipientId: string,
  content: Uint8Array | string,
  options: { name?: string; commandId?: string } = {},
) {
  const base64 = typeof content === 'string' ? content : Buffer.from(content).toString('base64');
  const body = { file_name: options.name ?? 'slip.pdf', content: base64 };
  const { commandId } = options;
  return service.call('POST', `/operator/recipients/${recipientId}/proofs`, body, commandId ? { commandId } : {});
}

async function proofsOf(recipientId: string): Promise<{ id: string; file_name: string; url: string }[]> {
  return Object((await account.caller.get(`/v1/recipients/${recipientId}/proof_of_payments`)).body).object;
}

describe('an operator', () => {
  it('attaches a file, the caller finds it, and the audit log tells who did it', async () => {
    const recipientId = await paid();
    const answer = await attach(recipientId, SLIP);
    expect(answer).toMatchObject({
      status: 201,
      body: {
        recipient_id: recipientId,
        file_name: 'slip.pdf',
        content_type: 'application/pdf',
        size_bytes: SLIP.length,
      },
    });
    const [proof] = await proofsOf(recipientId);
    expect(proof?.id).toBe(textAt(answer.body, 'id'));
    const served = await fetch(String(proof?.url));
    expect(Buffer.from(await served.arrayBuffer()).equals(SLIP)).toBe(true);
    expect(await auditEntries(service, `&subject=${recipientId}`)).toMatchObject([
      {
        operator: 'ada',
        action: 'recipient.attach',
        before: null,
        after: {
          account_id: account.accountId,
          proof_id: proof?.id,
          file_name: 'slip.pdf',
          sha256: expect.any(String),
        },
      },
    ]);
  });

  it('who repeats it under the same command id attaches once and is answered the same', async () => {
    const recipientId = await paid();
    const commandId = service.ctx.ids.next();
    const answers = await Promise.all([1, 2, 3].map(() => attach(recipientId, SLIP, { commandId })));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await proofsOf(recipientId)).toHaveLength(2);
    const other = await attach(recipientId, Buffer.from('%PDF-1.4 other'), { commandId });
    expect(other).toMatchObject({ status: 422, body: { error: 'command_id_taken' } });
  });

  it.each([
    ['the same file once more', async () => attachTwice(), 422, 'already_attached'],
    ['a file for somebody who was not paid', async () => attach(await paid('416'), SLIP), 422, 'recipient_not_paid'],
    ['a file for nobody', async () => attach('01900000-0000-7000-8000-00000000dead', SLIP), 404, 'recipient_not_found'],
    ['a file for no id', async () => attach('x', SLIP), 404, 'not_found'],
    ['an empty file', async () => attach(await paid(), ''), 422, 'file_invalid'],
    ['a page of a browser', async () => attach(await paid(), Buffer.from('<html>')), 422, 'file_invalid'],
    ['what is no base64', async () => attach(await paid(), '%%%%'), 422, 'invalid'],
    ['a file of one byte too much', async () => attach(await paid(), large(1)), 422, 'file_invalid'],
    ['far too much', async () => attach(await paid(), large(1_000_000)), 413, 'body_too_large'],
  ])('is refused %s', async (_what, act, status, error) => {
    expect(await act()).toMatchObject({ status, body: { error } });
  });

  it('may attach the largest file, and no more files than the bound', async () => {
    const recipientId = await paid();
    expect((await attach(recipientId, large(0))).status).toBe(201);
    for (let number = 1; number < MAX_PROOFS; number += 1) {
      expect((await attach(recipientId, Buffer.from(`%PDF-1.4 ${number}`))).status).toBe(201);
    }
    expect(await attach(recipientId, SLIP)).toMatchObject({ status: 422, body: { error: 'too_many_files' } });
    expect(await proofsOf(recipientId)).toHaveLength(MAX_PROOFS + 1);
  });
});

async function attachTwice() {
  const recipientId = await paid();
  await attach(recipientId, SLIP);
  return attach(recipientId, SLIP, { name: 'other.pdf' });
}

function large(beyond: number): Buffer {
  return Buffer.concat([SLIP, Buffer.alloc(MAX_PROOF_BYTES - SLIP.length + beyond)]);
}

describe('payferry recipient attach', () => {
  const access = ['--operator-url', service.url, '--operator-token', service.token];

  it('reads the file and says under which id it is kept', async () => {
    const recipientId = await paid();
    const path = join(directory, 'bank slip.pdf');
    await writeFile(path, SLIP);
    const run = await runCli(['recipient', 'attach', recipientId, path, ...access]);
    const [proof] = await proofsOf(recipientId);
    expect(run).toEqual({ code: 0, stderr: '', stdout: `attached bank slip.pdf to ${recipientId} as ${proof?.id}\n` });
  });

  it.each([
    ['a file that is not there', 'missing.pdf', 'cannot be read'],
    ['a directory', '.', 'is not a file'],
  ])('fails with a message for %s', async (_what, name, message) => {
    const run = await runCli(['recipient', 'attach', 'x', join(directory, name), ...access]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});
