/** How client libraries write what they send: bodies, queries and the bytes on the wire. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA } from '../support/payout.ts';
import { signByFormula } from '../support/signed-caller.ts';
import { wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const account = await app.newAccount();
const { caller } = account;

const { external_id: _own, ...PERSON } = ADA;
const PNG = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`;

/** A moment of another language has no zone unless its caller gave it one. */
describe('a moment without a zone', () => {
  it('is taken for one in UTC where the office of an exposed person began and ended', async () => {
    const dates = { started_date: '2010-01-20T00:00:00', ended_date: '2018-01-20T17:30:00' };
    const exposed = [{ name: 'Grace Example', position: 'Mayor', ...dates }];
    const answer = await caller.post('/v1/senders', { sender: { ...PERSON, politically_exposed_people: exposed } });
    const kept = { started_date: '2010-01-20T00:00:00.000Z', ended_date: '2018-01-20T17:30:00.000Z' };
    expect(answer).toMatchObject({ status: 200, body: { object: { politically_exposed_people: [kept] } } });
  });

  it('is its day at midnight, and refused at another hour where a day belongs', async () => {
    const born = (birth_date: string) => caller.post('/v1/senders', { sender: { ...PERSON, birth_date } });
    expect((await born('1990-05-17T00:00:00')).body).toMatchObject({ object: { birth_date: '1990-05-17' } });
    expect(wordsIn(await born('1990-05-17T22:30:00'))).toEqual(['birth_date: invalid']);
    const since = '/v1/recipients?created_at_from=';
    expect((await caller.get(`${since}2018-06-06T00:00:00.0000000`)).status).toBe(200);
    expect(wordsIn(await caller.get(`${since}2018-06-06T10:00:00.0000000`))).toEqual(['created_at_from: invalid']);
  });
});

/** Typed libraries read nothing but moments there, and write each one in their own way. */
it('shows the dates of an exposed person as moments in UTC, however they were written', async () => {
  const dates = { started_date: '2010-01-20', ended_date: '2018-01-20T17:30:00+01:00' };
  const exposed = [{ name: 'Grace Example', position: 'Mayor', ...dates }];
  const answer = await caller.post('/v1/senders', { sender: { ...PERSON, politically_exposed_people: exposed } });
  const shown = { started_date: '2010-01-20T00:00:00.000Z', ended_date: '2018-01-20T16:30:00.000Z' };
  expect(answer).toMatchObject({ status: 200, body: { object: { politically_exposed_people: [shown] } } });
});

it('takes a file whose data URI has its name, escaped', async () => {
  const upload = PNG.replace(';base64', ';name=my%20passport.png;base64');
  const answer = await caller.post('/v1/documents', { document: { upload, upload_file_name: 'my passport.png' } });
  expect(answer).toMatchObject({ status: 200, body: { object: { upload_content_type: 'image/png' } } });
});

it.each([
  ['recipients?state=nope', 'state: not_in_list'],
  ['recipients?currency[]=USD&currency[]=nope', 'currency: not_in_list'],
  ['payout_methods?state=enabled&state=nope', 'state: not_in_list'],
  ['recipients?state[0]=error&state[1]=nope', 'state: not_in_list'],
  ['payout_methods?type%5B0%5D=NGN%3A%3ABank&state%5B0%5D=nope', 'state: not_in_list'],
])('names a filter by its own name, however often it is repeated: %s', async (query, word) => {
  const answer = await caller.get(`/v1/${query}`);
  expect(wordsIn(answer)).toEqual([word]);
});

describe('a call on the wire', () => {
  const body = JSON.stringify({ sender: PERSON });
  const CRLF = '\r\n';

  function headOf(method: string, path: string, sent: string, lines: readonly string[], version = '1.1'): string {
    const nonce = randomUUID();
    const url = `${app.baseUrl}${path}`;
    const signature = signByFormula({ nonce, method, url, bytes: Buffer.from(sent), secret: account.secret });
    const own = [`Authorization-Key: ${account.key}`, `Authorization-Nonce: ${nonce}`];
    const host = `Host: ${new URL(app.baseUrl).host}`;
    const signed = `Authorization-Signature: ${signature}`;
    return [`${method} ${path} HTTP/${version}`, host, ...own, signed, ...lines, '', ''].join(CRLF);
  }

  /** Writes the first part, and each further one when an answer to the one before has come. */
  function exchange(...parts: readonly string[]): Promise<string[]> {
    const { hostname, port } = new URL(app.baseUrl);
    const [first = '', ...rest] = parts;
    const heard: string[] = [];
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(first));
      socket.on('error', reject);
      socket.on('close', () => resolve(heard));
      socket.on('data', (bytes) => {
        heard.push(bytes.toString('utf8'));
        const next = rest.shift();
        if (next === undefined) socket.destroy();
        else socket.write(next);
      });
    });
  }

  const JSON_TYPE = 'Content-Type: application/json; charset=UTF-8';

  it('is waited for when its caller asks whether to send the body', async () => {
    const lines = [JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`, 'Expect: 100-continue'];
    const [first, second] = await exchange(headOf('POST', '/v1/senders', body, lines), body);
    expect(first).toMatch(/^HTTP\/1\.1 100 /);
    expect(second).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('may come in chunks, and accept any coding', async () => {
    const lines = [JSON_TYPE, 'Transfer-Encoding: chunked', 'Accept-Encoding: gzip, deflate, br'];
    const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}${CRLF}${text}${CRLF}`;
    const chunks = chunk(body.slice(0, 40)) + chunk(body.slice(40)) + chunk('');
    const [answer] = await exchange(headOf('POST', '/v1/senders', body, lines) + chunks);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toMatch(/content-encoding/i);
  });

  it('of an old client may keep its connection for the next one', async () => {
    const call = () => headOf('GET', '/v1/webhooks', '', ['Connection: keep-alive'], '1.0');
    const [first, second] = await exchange(call(), call());
    for (const answer of [first, second]) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toMatch(/connection: keep-alive/i);
      expect(answer).toMatch(/content-length: \d+/i);
    }
  });
});
