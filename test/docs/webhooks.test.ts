/** Runs the examples of docs/webhooks.md as a receiver would: beside the package as it is published. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signForTest, whyNot } from '../../server/src/receiver/webhooks.ts';
import { tableUnder } from '../support/markdown.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENT = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const START_MS = 20_000;
const WEBHOOK_URL = 'https://merchant.example.test/hooks?x=1';
const [KEY, SECRET] = ['test-key', 'test-secret'];
const BODY = '{"webhook":"w1", "event":"transaction.paid_out","object":{"id":"t1","name":"Zoé"}}';

const home = mkdtempSync(join(tmpdir(), 'payferry-receiver-'));
const packageHome = join(home, 'node_modules', 'payferry');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const running: ChildProcess[] = [];

beforeAll(() => {
  mkdirSync(packageHome, { recursive: true });
  copyFileSync(join(ROOT, 'package.json'), join(packageHome, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules', 'fastify'), join(home, 'node_modules', 'fastify'));
  // As `npm pack` builds it, in the place of a package that was installed.
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = ['-p', join(ROOT, 'tsconfig.receiver.json'), '--outDir', join(packageHome, 'dist'), '--noCheck'];
  execFileSync(process.execPath, [tsc, ...flags], { stdio: 'pipe' });
});

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

/** The block of that name, as a file of the receiver. */
function example(name: string): string {
  const code = new RegExp(`^\`\`\`js ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(DOCUMENT)?.[1];
  if (code === undefined) throw new Error(`The document has no example ${name}.`);
  const file = join(home, `${name}.mjs`);
  writeFileSync(file, code);
  return file;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === 'object' ? address.port : 0;
}

const environment = (port: number) => ({
  ...process.env,
  PORT: String(port),
  WEBHOOK_URL,
  WEBHOOK_KEY: KEY,
  WEBHOOK_SECRET: SECRET,
});

async function start(name: string): Promise<{ port: number; said: () => string }> {
  const port = await freePort();
  const child = spawn(process.execPath, [example(name)], { env: environment(port), stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  for (let waitedMs = 0; waitedMs < START_MS && child.exitCode === null; waitedMs += 50) {
    if (await isListening(port)) return { port, said: () => said };
    await sleep(50);
  }
  throw new Error(`The example ${name} did not start: ${said}`);
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** On a connection of its own; a receiver that has had enough may close it before it is read. */
function answerTo(port: number, body: string): Promise<number | 'closed' | undefined> {
  return new Promise((resolve) => {
    const post = request({ port, host: '127.0.0.1', method: 'POST', agent: false });
    post.on('response', (response) => resolve(response.resume().statusCode));
    post.on('error', () => resolve('closed'));
    post.end(body);
  });
}

describe('the package', () => {
  it('has the files that it names as payferry/webhooks, with types, and publishes their folder', () => {
    const { types, default: code } = manifest.exports['./webhooks'];
    expect([types, code].map((file) => existsSync(join(packageHome, file)))).toEqual([true, true]);
    expect(manifest.files).toContain('dist');
    expect(readFileSync(join(packageHome, types), 'utf8')).toMatch(/export declare function verify\(/);
    expect(readFileSync(join(packageHome, code), 'utf8').match(/from '[^']+'/g)).toEqual(["from 'node:crypto'"]);
  });

  it('is got as the document says: as a whole, or the one file', () => {
    const { default: code } = manifest.exports['./webhooks'];
    expect(DOCUMENT).toContain(`\`payferry-${manifest.version}.tgz\``);
    expect(DOCUMENT).toContain(`\`${code.replace('./', '')}\``);
  });
});

it('the worked signature for other languages is the one that is sent', () => {
  const cells = tableUnder(DOCUMENT, 'Other languages').rows.map(([, value = '']) => value);
  const [url = '', secret = '', nonce = '', body = '', signature = ''] = cells;
  const headers = {
    'Authorization-Key': KEY,
    'Authorization-Nonce': nonce,
    'Authorization-Signature': signature,
  };
  expect(whyNot(url, body, headers, KEY, secret)).toBeUndefined();
});

describe('the examples', () => {
  it('listen where the address that the document registers leads to', () => {
    const [, host, port] = /"url": "http:\/\/([\d.]+):(\d+)\/hooks"/.exec(DOCUMENT) ?? [];
    const ports = [...DOCUMENT.matchAll(/PORT = '(\d+)'/g)].map(([, each]) => each);
    expect(ports).toEqual([port, port, port, port]);
    expect(DOCUMENT).not.toContain('localhost');
    expect(DOCUMENT.split(`'${host}'`).length - 1).toBe(3);
  });
});

describe.each(['node', 'fastify'])('the receiver of the %s example', (name) => {
  it('believes what is signed for its address, and nothing else', async () => {
    const { port, said } = await start(name);
    const post = async (body: string, headers: Record<string, string>) => {
      const all = { 'content-type': 'application/json', ...headers };
      return (await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers: all, body })).status;
    };
    const signed = signForTest(WEBHOOK_URL, BODY, KEY, SECRET);
    expect(await post(BODY, {})).toBe(401);
    expect(await post(BODY.replace('t1', 't2'), signed)).toBe(401);
    expect(await post(JSON.stringify(JSON.parse(BODY)), signed)).toBe(401);
    expect(await post(BODY, signForTest(WEBHOOK_URL, BODY, 'other-key', SECRET))).toBe(401);
    expect(await post(BODY, signForTest(`http://127.0.0.1:${port}/hooks`, BODY, KEY, SECRET))).toBe(401);
    expect(said()).toBe('');
    expect(await post(BODY, signed)).toBe(204);
    expect(said()).toBe('transaction.paid_out t1\n');

    const test = execFileSync(process.execPath, [example('test')], { env: environment(port), encoding: 'utf8' });
    expect(test).toBe('204\n');
  });
});

describe('the receiver of the node example', () => {
  it('outlives requests that are too large or break off', async () => {
    const { port } = await start('node');
    expect([413, 'closed']).toContain(await answerTo(port, 'x'.repeat(2_000_000)));
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nab', resolve));
    socket.destroy();
    expect(await answerTo(port, '')).toBe(401);
  });
});
