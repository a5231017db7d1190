/** The commands that work without the operator API: settings, migrate, request. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { hashBody, isSignature, readSignature } from '../../server/src/kernel/signature.ts';
import { writeSandboxAccess } from '../../server/src/operator/local-files.ts';
import { OTHER_VARIABLES } from '../../server/src/settings/other-variables.ts';
import { freshDatabase } from '../support/database.ts';
import { runCli } from './run-cli.ts';

const data = await mkdtemp(join(tmpdir(), 'payferry-cli-'));
afterAll(() => rm(data, { recursive: true, force: true }));

describe('payferry settings', () => {
  it('prints each value with its origin, and leaves the variables of the command line alone', async () => {
    const others = Object.keys(OTHER_VARIABLES).map((name) => [name, 'x']);
    const env = { PAYFERRY_PORT: '4000', ...Object.fromEntries(others) };
    const run = await runCli(['settings', '--operator-port', '5000', '--json'], { env });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const rows: unknown = JSON.parse(run.stdout);
    expect(rows).toContainEqual({ key: 'port', value: '4000', origin: 'env', originName: 'PAYFERRY_PORT' });
    expect(rows).toContainEqual({ key: 'operator.port', value: '5000', origin: 'flag', originName: '--operator-port' });
    expect(rows).toContainEqual({ key: 'mode', value: 'sandbox', origin: 'default', originName: 'default' });
  });

  it('prints a table for people, with secrets masked', async () => {
    const env = { PAYFERRY_API_KEY: 'the-key', PAYFERRY_API_SECRET: 'the-secret' };
    const { stdout } = await runCli(['settings'], { env });
    expect(stdout).toMatch(/sandbox\.api_secret +\(set\) +env PAYFERRY_API_SECRET/);
    expect(stdout).not.toContain('the-secret');
  });

  it('tells all mistakes at once', async () => {
    const run = await runCli(['settings', '--port', 'many'], { env: { PAYFERRY_PROT: '1' } });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('port: expected');
    expect(run.stderr).toContain('unknown environment variable PAYFERRY_PROT');
  });

  it('names the entry of a list or a map that does not fit', async () => {
    const order = 'NGN::Bank=bridge,Foo::Bank=bridge,*=sandbox';
    const run = await runCli(['settings', '--providers-order', order]);
    expect(run.stderr).toContain('; what does not fit is "Foo::Bank=bridge" (from --providers-order)\n');
  });
});

describe('payferry migrate', async () => {
  const { db, url: givenUrl } = await freshDatabase();
  // The socket of the embedded server stands in the query; with a host before it the address is a URL too.
  const url = givenUrl.replace('@/', '@localhost/');

  it('says that the schema is up to date, or what it ran', async () => {
    expect(await runCli(['migrate', '--database-url', url])).toMatchObject({
      code: 0,
      stdout: 'The schema is up to date.\n',
    });
    await db.execute('create schema fresh');
    const emptySchema = `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent('-c search_path=fresh')}`;
    const ran = await runCli(['migrate', '--database-url', emptySchema, '--json']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const { migrations } = JSON.parse(ran.stdout);
    expect(migrations[0]).toBe('0001_base');
    const [row] = await db.query<{ count: bigint }>('select count(*) from fresh.schema_migrations');
    expect(row?.count).toBe(BigInt(migrations.length));
  });

  it('refuses a schema that is newer than the program', async () => {
    await db.execute(`insert into schema_migrations values (9999, '9999_later', 'x', $1)`, [new Date()]);
    const run = await runCli(['migrate', '--database-url', url]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('9999_later');
  });
});

/**
 * Whoever operates has the settings file of the service, and not its secrets; or secrets in the shell, and not the
 * file.
 */
describe('the data directory in the settings is found', () => {
  const looked = async (env: Readonly<Record<string, string>>) => {
    const run = await runCli(['account', 'list'], { env });
    return run.stderr.replaceAll(data, 'DATA').trimEnd();
  };
  const file = join(data, 'service.toml');
  const missing = /^payferry: there is no DATA\/nobody\/operator\.json: /;

  it('in a file whose other settings need secrets that only the service has', async () => {
    await writeFile(file, `data = "${data}/nobody"\n[bridge]\nurl = "https://bridge.example"\n`);
    expect(await looked({ PAYFERRY_CONFIG: file })).toMatch(missing);
  });

  it('in the environment, beside secrets of the service and variables of other programs', async () => {
    const env = { PAYFERRY_BRIDGE_SECRET: 'x'.repeat(32), PAYFERRY_KEY: 'x', PAYFERRY_DATA: join(data, 'nobody') };
    expect(await looked(env)).toMatch(missing);
    await writeFile(file, 'data = [');
    expect(await looked({ ...env, PAYFERRY_CONFIG: file })).toMatch(missing);
  });

  it('and a mistake that hides it is told', async () => {
    await writeFile(file, 'data = [');
    expect(await looked({ PAYFERRY_CONFIG: file })).toMatch(/service\.toml: line 1/);
    await writeFile(file, 'data = 7');
    expect(await looked({ PAYFERRY_CONFIG: file })).toMatch(/data: expected a path, got 7/);
  });
});

describe('payferry request', async () => {
  const KEY = 'a-key';
  const SECRET = "s3cret'with quotes";
  /** What a server sees: it answers 200 when the signature is right for the address that it was called under. */
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const header = (name: string) => String(request.headers[name] ?? '');
    const nonce = header('authorization-nonce');
    const parts = {
      nonce,
      method: request.method ?? '',
      url: `http://${request.headers.host}${request.url}`,
      bodyHash: hashBody(body),
    };
    const isRight = isSignature(readSignature(header('authorization-signature')) ?? Buffer.alloc(0), parts, SECRET);
    response.statusCode = isRight && header('authorization-key') === KEY ? 200 : 401;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ method: request.method, url: request.url, body: body.toString(), nonce }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  await writeSandboxAccess(data, { url, key: KEY, secret: SECRET });

  it.each([
    ['a method that is none', ['G T', '/v1/accounts']],
    ['an address in place of a path', ['GET', 'http://127.0.0.1:3000/v1/accounts']],
    ['a key with a line break', ['GET', '/v1/accounts', '--key', 'a\nb', '--secret', 's']],
    ['a key in another script', ['GET', '/v1/accounts', '--key', 'ключ', '--secret', 's']],
  ])('says in words that it cannot send %s', async (_what, args) => {
    const run = await runCli(['request', ...args, '--data', data]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^payferry: this call cannot be sent: [^\n]+\n$/);
  });

  it.each([
    ['a read', ['get', '/v1/accounts']],
    ['a query with signs that need care', ['GET', "/v1/transactions?external_id=a b'(c)*&page=1"]],
    ['a body', ['POST', '/v1/senders', '{"sender":{"first_name":"Zoë"}}']],
    ['a path without a slash', ['DELETE', 'v1/senders/1']],
  ])('signs %s so that the server agrees', async (_what, args) => {
    const run = await runCli(['request', ...args, '--data', data, '--json']);
    expect(run.code).toBe(0);
    const answer = JSON.parse(run.stdout);
    expect(answer.status).toBe(200);
    expect(answer.body.method).toBe(args[0]?.toUpperCase());
    expect(answer.body.body).toBe(args[2] ?? '');
  });

  it('takes the body from a file or from standard input', async () => {
    const file = join(data, 'body.json');
    await writeFile(file, '{"from":"file"}');
    expect((await runCli(['request', 'POST', '/v1/x', `@${file}`, '--data', data])).stdout).toContain('file');
    const piped = await runCli(['request', 'POST', '/v1/x', '-', '--data', data], { input: '{"from":"pipe"}' });
    expect(piped.stdout).toContain('pipe');
  });

  it('takes key and secret from flags or environment, and ends with 1 when the answer is an error', async () => {
    const env = { PAYFERRY_API_KEY: KEY, PAYFERRY_API_SECRET: SECRET };
    expect((await runCli(['request', 'GET', '/v1/x', '--url', url], { env })).code).toBe(0);
    const wrong = ['--url', url, '--key', KEY, '--secret', 'wrong'];
    expect(await runCli(['request', 'GET', '/v1/x', ...wrong])).toMatchObject({
      code: 1,
      stderr: 'payferry: the answer was 401\n',
    });
    const half = await runCli(['request', 'GET', '/v1/x', '--data', data, '--key', 'other']);
    expect(half.stderr).toContain('key and secret, or neither');
  });

  it('ends with 1 when the answer sends it elsewhere: nothing was done here', async () => {
    const elsewhere = createServer((_request, response) => response.writeHead(301, { location: url }).end());
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const from = `http://127.0.0.1:${Object(elsewhere.address()).port}`;
    const run = await runCli(['request', 'POST', '/v1/x', '{}', '--url', from, '--key', KEY, '--secret', SECRET]);
    elsewhere.close();
    expect(run).toMatchObject({ code: 1, stderr: 'payferry: the answer was 301\n' });
  });

  it('--curl prints a command whose arguments, as the shell reads them, are the signed call', async () => {
    const body = `{"name":"it's"}`;
    const run = await runCli(['request', 'POST', '/v1/senders', body, '--data', data, '--curl']);
    const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${run.stdout}`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    const args = stdout.split('\0').slice(0, -1);
    const valueAfter = (flag: string) => args.flatMap((arg, index) => (arg === flag ? [args[index + 1] ?? ''] : []));
    const headers = Object.fromEntries(valueAfter('-H').map((line) => line.split(': ')));
    expect(args).toContain(`${url}/v1/senders`);
    expect(valueAfter('-X')).toEqual(['POST']);
    expect(valueAfter('--data-raw')).toEqual([body]);
    const answer = await fetch(`${url}/v1/senders`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
  });

  it('says what is missing where no sandbox was started', async () => {
    const run = await runCli(['request', 'GET', '/v1/x', '--data', join(data, 'empty')]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('sandbox.json');
  });
});
