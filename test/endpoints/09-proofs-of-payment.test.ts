/** Spec: endpoint 9, Proof of payment file. Open points OP-31 and OP-154 to OP-158. */
import { afterAll, describe, expect, it } from 'vitest';
import type { PayoutAnswer, PayoutProvider, ProofFile } from '../../server/src/providers/payout-provider.ts';
import { MAX_PROOFS } from '../../server/src/recipients/proof.ts';
import { callerOf } from '../http/edge.ts';
import { startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOfPayout, OBI } from '../support/payout.ts';
import { fundPayout, read } from '../support/payouts.ts';
import { textOfPdf } from '../support/pdf-text.ts';
import { readPng } from '../support/png.ts';
import { countRows, difference, expectSoundLedger } from '../support/rows.ts';
import { PNG } from '../support/senders.ts';
import { transactionIn } from '../support/transactions.ts';

interface ProofView {
  readonly id: string;
  readonly file_name: string;
  readonly url: string;
  readonly thumbnail: string;
}

/** Says what each test wants to hear. */
let answers: PayoutAnswer[] = [];
const scripted: PayoutProvider = {
  name: 'scripted',
  submit: async () => answers.shift() ?? { kind: 'paid' },
  status: async () => answers.shift() ?? { kind: 'paid' },
  probe: async () => true,
};

const { db } = await freshDatabase();
const app = await startApp({ db, providers: [scripted] });
const account = await app.newAccount({ balances: { USD: 10_000_000n } });
const PUBLIC_URL = 'https://pay.example/base';
/** The same accounts, behind another address and with a shorter lifetime of addresses. */
const behind = await startApp({ db, flags: { publicUrl: PUBLIC_URL, filesAddressLifetime: '5m' } });
afterAll(() => expectSoundLedger(db));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PICTURE = Buffer.from(PNG.slice(PNG.indexOf(',') + 1), 'base64');
const PDF: ProofFile = { fileName: 'slip.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.4 slip') };
const SMALL: ProofFile = { fileName: 'slip.png', contentType: 'image/png', content: PICTURE };

async function pay(...said: PayoutAnswer[]) {
  answers = said;
  const payout = await fundPayout(account, 'Example');
  await app.engine.run();
  return payout.recipient.id;
}

async function proofsOf(recipientId: string, who: TestAccount = account): Promise<ProofView[]> {
  const answer = await who.caller.get(`/v1/recipients/${recipientId}/proof_of_payments`);
  expect(answer.status, answer.text).toBe(200);
  return Object(answer.body).object;
}

async function fetched(url: string | undefined) {
  const answer = await fetch(String(url));
  return { status: answer.status, headers: answer.headers, content: Buffer.from(await answer.arrayBuffer()) };
}

describe('a paid recipient', () => {
  it('has a receipt as a PDF with a picture of it, and nothing but the four fields', async () => {
    const recipientId = await pay({ kind: 'paid' });
    const proofs = await proofsOf(recipientId);
    expect(proofs.map((proof) => Object.keys(proof))).toEqual([['id', 'file_name', 'url', 'thumbnail']]);
    expect(proofs[0]?.file_name).toBe(`receipt-${recipientId}.pdf`);

    const receipt = await fetched(proofs[0]?.url);
    expect(receipt.status).toBe(200);
    expect(Object.fromEntries(receipt.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="receipt-${recipientId}.pdf"; filename*=UTF-8''receipt-${recipientId}.pdf`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const picture = await fetched(proofs[0]?.thumbnail);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('content-disposition')).toMatch(/^inline; /);
    expect(readPng(picture.content)).toMatchObject({ width: 300, height: 424 });
  });

  it('is named on the receipt with amounts, rate, times and ids, and only the end of the account', async () => {
    const recipientId = await pay({ kind: 'paid' });
    const payout = transactionIn(await account.caller.get(`/v1/transactions/${await transactionOf(recipientId)}`), 200);
    const [proof] = await proofsOf(recipientId);
    const text = textOfPdf((await fetched(proof?.url)).content);
    const written = (label: string) => text[text.indexOf(label) + 1];
    const [recipient] = payout.recipients;
    expect(text).toContain(`${Number(recipient?.output_amount).toFixed(2)} NGN`);
    expect(written('Recipient')).toBe('Sandbox Example');
    expect(written('Bank account')).toBe('**** 7890');
    expect(written('Amount debited')).toBe('100.00 USD');
    expect(written('Exchange rate')).toBe(`1 USD = ${recipient?.['exchange_rate']} NGN`);
    expect(written('Paid at')).toBe('2026-11-15 12:00:00 UTC');
    expect(written('Sender')).toBe('Ada Example');
    expect(written('Provider')).toBe('scripted');
    expect(written('Recipient id')).toBe(recipientId);
    expect(written('Transaction id')).toBe(payout.id);
    expect(written('External id')).toBe(payout.external_id);
    expect(written('Receipt id')).toBe(proof?.id);
    expect(text.join(' ')).toContain('no money was moved');
    expect(text.join(' ')).not.toContain(OBI.details.bank_account);
  });

  it('has the same receipt to the last byte whenever it is asked for, also later', async () => {
    const recipientId = await pay({ kind: 'paid' });
    const [first] = await proofsOf(recipientId);
    const bytes = (await fetched(first?.url)).content;
    app.clock.advance(5_000);
    const [second] = await proofsOf(recipientId);
    expect(second?.id).toBe(first?.id);
    expect(second?.url).not.toBe(first?.url);
    expect((await fetched(second?.url)).content.equals(bytes)).toBe(true);
  });

  it('that got too much has a receipt over what it got, beside what was ordered', async () => {
    const recipientId = await pay({ kind: 'paid', paidMinor: 99_999_999_00n });
    const [proof] = await proofsOf(recipientId);
    const text = textOfPdf((await fetched(proof?.url)).content);
    expect(text).toContain('99999999.00 NGN');
    expect(text).toContain('Amount ordered');
  });

  it('that was paid on demand in the sandbox has a receipt too', async () => {
    answers = [{ kind: 'pending' }];
    const payout = await fundPayout(account, 'Example');
    await app.engine.run();
    expect(await proofsOf(payout.recipient.id)).toEqual([]);
    transactionIn(await account.caller.post(`/v1/transactions/${payout.id}/payout`), 200);
    expect(await proofsOf(payout.recipient.id)).toHaveLength(1);
  });
});

async function transactionOf(recipientId: string): Promise<string> {
  const rows = await db.query<{ id: string }>(
    'select transaction_id::text as id from recipients where recipient_id = $1::uuid',
    [recipientId],
  );
  return String(rows[0]?.id);
}

describe('a recipient that was not paid has no proof', () => {
  it('before it is funded', async () => {
    const created = transactionIn(await account.caller.post('/v1/transactions', bodyOfPayout()), 201);
    expect(await proofsOf(String(created.recipients[0]?.id))).toEqual([]);
  });

  it.each([
    ['pending', [{ kind: 'pending' }]],
    ['error', [{ kind: 'failed', code: '416' }]],
  ] as const)('while it is in %s', async (state, said) => {
    answers = [...said];
    const payout = await fundPayout(account, 'Example');
    await app.engine.run();
    expect((await read(account, payout)).recipient.state).toBe(state);
    expect(await proofsOf(payout.recipient.id)).toEqual([]);
  });

  it.each([
    ['nobody', '01900000-0000-7000-8000-00000000dead'],
    ['no id', 'x'],
  ])('and where there is %s the answer is 404', async (_what, id) => {
    expect((await account.caller.get(`/v1/recipients/${id}/proof_of_payments`)).status).toBe(404);
  });

  it('nor is one of another account found', async () => {
    const recipientId = await pay({ kind: 'paid' });
    const other = await app.newAccount();
    expect((await other.caller.get(`/v1/recipients/${recipientId}/proof_of_payments`)).status).toBe(404);
  });
});

describe('the file of a provider', () => {
  it('is stored with the payment and listed before the receipt, byte for byte', async () => {
    const proofs = await proofsOf(await pay({ kind: 'paid', proof: PDF }));
    expect(proofs.map((proof) => proof.file_name.replace(/-.*/, ''))).toEqual(['slip.pdf', 'receipt']);
    const { content, headers } = await fetched(proofs[0]?.url);
    expect(content.equals(Buffer.from(PDF.content))).toBe(true);
    expect(headers.get('content-type')).toBe('application/pdf');
    readPng((await fetched(proofs[0]?.thumbnail)).content);
  });

  it('that is a small picture is its own thumbnail', async () => {
    const proofs = await proofsOf(await pay({ kind: 'paid', proof: SMALL }));
    expect((await fetched(proofs[0]?.thumbnail)).content.equals(PICTURE)).toBe(true);
  });

  it('that is a large picture is shown as a page', async () => {
    const content = Buffer.concat([PICTURE, Buffer.alloc(256 * 1024)]);
    const proofs = await proofsOf(await pay({ kind: 'paid', proof: { ...SMALL, content } }));
    expect(readPng((await fetched(proofs[0]?.thumbnail)).content).width).toBe(300);
    expect((await fetched(proofs[0]?.url)).content.equals(content)).toBe(true);
  });

  it('that comes again is kept once, and a further one is kept beside it, up to a bound', async () => {
    const recipientId = await pay({ kind: 'paid', proof: PDF });
    const [attempt] = await db.query<{ id: string; transaction: string }>(
      `select attempt_id::text as id, transaction_id::text as transaction from payout_attempts
       where recipient_id = $1::uuid`,
      [recipientId],
    );
    const hear = (proof: ProofFile) =>
      app.engine.work.record({
        accountId: account.accountId,
        attemptId: String(attempt?.id),
        transactionId: String(attempt?.transaction),
        recipientId,
        answer: { kind: 'paid', proof },
      });
    await Promise.all([hear(PDF), hear(PDF), hear(SMALL), hear({ ...SMALL, fileName: 'again.png' })]);
    expect((await proofsOf(recipientId)).map((proof) => proof.file_name).toSorted()).toEqual(
      ['slip.pdf', 'slip.png', `receipt-${recipientId}.pdf`].toSorted(),
    );
    for (let number = 0; number < MAX_PROOFS; number += 1) {
      await hear({ ...PDF, content: Buffer.from(`%PDF-1.4 slip ${number}`) });
    }
    expect(await proofsOf(recipientId)).toHaveLength(MAX_PROOFS + 1);
    expect(app.logged.join('\n')).toContain('too_many');
  });

  it.each([
    ['is empty', { ...PDF, content: Buffer.alloc(0) }],
    ['is too large', { ...PDF, content: Buffer.concat([PDF.content, Buffer.alloc(7 * 1024 * 1024)]) }],
    ['is of a kind that is not taken', { ...PDF, contentType: 'text/html', content: Buffer.from('<html>') }],
    ['is not what it says it is', { ...PDF, contentType: 'image/png' }],
  ])('that %s is dropped, and the payment is recorded all the same', async (_what, proof) => {
    const before = await countRows(db);
    const recipientId = await pay({ kind: 'paid', proof });
    expect(await proofsOf(recipientId)).toHaveLength(1);
    const rows = difference(before, await countRows(db));
    expect(rows).not.toHaveProperty('payment_proofs');
    expect(rows).not.toHaveProperty('file_contents');
  });

  it('of a payment that was contradicted is kept, and shown no more', async () => {
    const recipientId = await pay({ kind: 'paid', proof: PDF });
    const [proof] = await proofsOf(recipientId);
    await db.execute("update recipients set state = 'exception' where recipient_id = $1::uuid", [recipientId]);
    expect(await proofsOf(recipientId)).toEqual([]);
    expect((await fetched(proof?.url)).status).toBe(404);
    await db.execute("update recipients set state = 'success' where recipient_id = $1::uuid", [recipientId]);
    expect((await fetched(proof?.url)).status).toBe(200);
  });
});

describe('an address', () => {
  it('works for an hour, and then says that it has expired', async () => {
    const [proof] = await proofsOf(await pay({ kind: 'paid' }));
    app.clock.advance(HOUR_MS - 1);
    expect((await fetched(proof?.url)).status).toBe(200);
    app.clock.advance(1_000);
    for (const url of [proof?.url, proof?.thumbnail]) {
      const late = await fetched(url);
      expect([late.status, JSON.parse(late.content.toString()).status]).toEqual([403, 403]);
    }
  });

  it('that was changed leads nowhere', async () => {
    const recipientId = await pay({ kind: 'paid', proof: PDF });
    const other = await pay({ kind: 'paid' });
    const [proof] = await proofsOf(recipientId);
    const url = String(proof?.url);
    const changed = [
      url.replace('/content?', '/thumbnail?'),
      url.replace(recipientId, other),
      url.replace(account.accountId, other),
      url.replace(/expires=(\d+)/, (_, seconds) => `expires=${Number(seconds) + 1}`),
      url.replace(/signature=./, (part) => (part.endsWith('A') ? 'signature=B' : 'signature=A')),
      url.replace(recipientId, recipientId.toUpperCase()),
      url.replace(/&signature=.*/, ''),
      url.replace(/\?.*/, ''),
      `${url}&signature=x`,
    ];
    expect(await Promise.all(changed.map(async (each) => (await fetched(each)).status))).toEqual(
      changed.map(() => 404),
    );
    expect((await fetched(url)).status).toBe(200);
  });

  it('holds ids and nothing else of the account, and is under the public address where one is set', async () => {
    const recipientId = await pay({ kind: 'paid' });
    const [proof] = await proofsOf(recipientId);
    const path = `/files/${account.accountId}/${recipientId}/${proof?.id}/content`;
    expect(proof?.url.replace(/\?.*/, '')).toBe(`${app.baseUrl}${path}`);
    const address = `/v1/recipients/${recipientId}/proof_of_payments`;
    const answer = await callerOf(behind, account).get(address, { signedUrl: `${PUBLIC_URL}${address}` });
    const url = String(Object(answer.body).object[0].url);
    expect(url.replace(/\?.*/, '')).toBe(`${PUBLIC_URL}${path}`);
    behind.clock.advance(5 * MINUTE_MS - 1);
    expect((await fetched(url.replace(PUBLIC_URL, behind.baseUrl))).status).toBe(200);
    behind.clock.advance(1_000);
    expect((await fetched(url.replace(PUBLIC_URL, behind.baseUrl))).status).toBe(403);
  });
});
