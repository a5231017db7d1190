/** The kit of account checks, for the sandbox's register and for the bridge. */
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type CheckAnswer, type CheckQuestion, readable } from '../../server/src/account-checks/account-check.ts';
import { BridgeAccountCheck, parseCheckAnswer } from '../../server/src/account-checks/bridge/check.ts';
import { openAccountCheck } from '../../server/src/account-checks/registry.ts';
import { SandboxAccountCheck } from '../../server/src/account-checks/sandbox/check.ts';
import { BridgeClient } from '../../server/src/providers/bridge/client.ts';
import { isProved, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../../server/src/providers/bridge/signature.ts';
import { defaultSettings } from '../support/create-facts.ts';
import { NOON } from '../support/manual-clock.ts';
import { accountCheckKit, type Situation } from './kit.ts';

const NAME: CheckQuestion = {
  kind: 'name',
  payoutType: 'NGN::Bank',
  country: 'NG',
  account: { bank_account: '1234567890', bank_code: '058' },
  expectedName: 'Obi Example',
};
const TELCO: CheckQuestion = {
  kind: 'telco',
  payoutType: 'XOF::Mobile',
  country: 'SN',
  account: { phone_number: '+221774044400', mobile_provider: 'orange' },
};
const STATUS: CheckQuestion = {
  kind: 'status',
  payoutType: 'XAF::Mobile',
  country: 'CM',
  account: { phone_number: '+237674044400', mobile_provider: 'mtn' },
};

/** The questions, their accounts ending so. */
function ending(name: string, telco: string, status: string): CheckQuestion[] {
  const end = (text: string | undefined, digits: string) => `${text?.slice(0, -digits.length)}${digits}`;
  const phone = (question: CheckQuestion, digits: string) => ({
    ...question,
    account: { ...question.account, phone_number: end(question.account.phone_number, digits) },
  });
  const bank = { ...NAME, account: { ...NAME.account, bank_account: end(NAME.account.bank_account, name) } };
  return [bank, phone(TELCO, telco), phone(STATUS, status)];
}

const IN_THE_SANDBOX: Partial<Record<Situation, CheckQuestion[]>> = {
  'finds what is expected': [NAME, TELCO, STATUS],
  'finds something else': ending('044', '413', '432'),
  'knows no such account': ending('39', '414', '432'),
  'is silent': ending('012', '012', '012'),
};

accountCheckKit("the sandbox's register", {
  cannot: { 'talks nonsense': 'it is a part of the program', 'is gone': 'it is a part of the program' },
  arrange: async (situation) => ({
    check: new SandboxAccountCheck(() => 1),
    questions: IN_THE_SANDBOX[situation] ?? [],
    end: async () => undefined,
  }),
});

const SECRET = 'a-secret-of-at-least-32-characters';
const FOUND = { account_name: 'OBI EXAMPLE', mobile_provider: 'orange', account_status: 'active' };
const ANSWERS: Record<Exclude<Situation, 'is silent' | 'is gone'>, string> = {
  'finds what is expected': JSON.stringify({ status: 'found', ...FOUND }),
  'finds something else': JSON.stringify({ status: 'found', ...FOUND, mobile_provider: 'mtn', account_name: 'ADA' }),
  'knows no such account': JSON.stringify({ status: 'not_found' }),
  'talks nonsense': '{"status":"fou',
};

accountCheckKit('the bridge', {
  cannot: {},
  arrange: async (situation) => {
    const server = createServer(async (request, reply) => {
      let body = '';
      for await (const part of request) body += part;
      const proof = {
        timestamp: String(request.headers[TIMESTAMP_HEADER]),
        signature: String(request.headers[SIGNATURE_HEADER]),
      };
      if (!isProvedCall(proof, body)) return void reply.writeHead(401).end();
      if (situation !== 'is silent' && situation !== 'is gone') reply.end(ANSWERS[situation]);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${Object(server.address()).port}/bank`;
    const close = async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    };
    if (situation === 'is gone') await close();
    const check = new BridgeAccountCheck('bridge', new BridgeClient({ url, secret: SECRET }, { now: () => NOON }));
    return {
      check,
      questions: [NAME, TELCO, STATUS],
      end: async () => {
        if (situation !== 'is gone') await close();
        await check.close();
      },
    };
  },
});

function isProvedCall(proof: { timestamp: string; signature: string }, body: string): boolean {
  const { timestamp, signature } = proof;
  return isProved({ timestamp, what: 'POST /account_checks', body }, signature, SECRET, NOON);
}

it('the bridge is asked by the time of the world, and says why it gave no answer', async () => {
  const timestamps: number[] = [];
  const server = createServer((request, reply) => {
    timestamps.push(Number(request.headers[TIMESTAMP_HEADER]));
    reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const bridgeUrl = `http://127.0.0.1:${Object(server.address()).port}`;
  const settings = defaultSettings({ bridgeUrl, bridgeSecret: SECRET, validationBridge: 'true' });
  const ahead = { clock: { now: () => new Date(Date.now() + 86_400_000) }, sandboxLatencyMs: () => 0 };
  const check = openAccountCheck({ settings, ...ahead });
  const answer = await check?.check(NAME, AbortSignal.timeout(5_000));
  await check?.close?.();
  server.close();
  expect(answer).toEqual({ kind: 'unavailable', why: 'status 404' });
  expect(Math.abs(Date.now() - (timestamps[0] ?? 0))).toBeLessThan(60_000);
});

describe('an answer that is not as agreed', () => {
  it.each([
    ['a name where an operator was asked for', TELCO, { kind: 'name', accountName: 'Obi' }],
    ['an empty name', NAME, { kind: 'name', accountName: ' ' }],
    ['a name that is too long to keep', NAME, { kind: 'name', accountName: 'x'.repeat(256) }],
    ['a name with a NUL character', NAME, { kind: 'name', accountName: 'Obi\0' }],
    ['a name that would steer a terminal', NAME, { kind: 'name', accountName: '\u001b[2JObi' }],
    ['half a character', TELCO, { kind: 'telco', mobileProvider: '\ud800' }],
    ['a status that nobody knows', STATUS, { kind: 'status', status: 'asleep' }],
    ['nothing at all', NAME, undefined],
  ])('says nothing about the account: %s', (_, question, answer) => {
    expect(readable(question, answer as CheckAnswer).kind).toBe('unavailable');
  });

  it.each(['', 'null', '[]', '"found"', '{"status":"found"}', '{"status":"found","account_status":"asleep"}', '{}'])(
    'of the bridge says nothing about the account: %s',
    (text) => {
      for (const kind of ['name', 'telco', 'status'] as const) {
        expect(parseCheckAnswer(kind, text).kind).toBe('unavailable');
      }
    },
  );
});
