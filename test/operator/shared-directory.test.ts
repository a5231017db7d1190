/**
 * Two processes with one data directory, on a database that is elsewhere: the later one takes the commands, and says
 * so.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { keepAccess } from '../../server/src/compose/keep-access.ts';
import { openLog } from '../../server/src/observability/log.ts';
import { readOperatorAccess } from '../../server/src/operator/local-files.ts';
import { freshDatabase } from '../support/database.ts';
import { contextOn, openListener } from './support.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'payferry-shared-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const { db } = await freshDatabase();
const logged: string[] = [];
const log = openLog({ level: 'warn', format: 'json', isTerminal: false, write: (line) => logged.push(line) });
const { ctx } = contextOn(db, { log });
const { url: first } = await openListener(ctx);

/** What is told when a process that listens there starts. */
async function startAt(url: string): Promise<string[]> {
  logged.length = 0;
  expect(await keepAccess(ctx, { dataDir, url, isDatabaseOurs: false })).toBe(true);
  expect(await readOperatorAccess(dataDir)).toMatchObject({ url });
  return logged.map((line) => JSON.parse(line).message);
}

it('the first one, and one that starts again at its address, have nothing to tell', async () => {
  expect(await startAt(first)).toEqual([]);
  expect(await startAt(first)).toEqual([]);
});

it('one that takes the place of another that still answers warns', async () => {
  expect(await startAt('http://127.0.0.1:9')).toEqual([
    expect.stringMatching(/^another process listens at the address in operator\.json: /),
  ]);
  expect(logged[0]).toContain(first);
});

it('one that takes the place of a process which is gone has nothing to tell', async () => {
  expect(await startAt(first)).toEqual([]);
});

it('another program at that port is none of ours, and is not shown the token', async () => {
  const headers: unknown[] = [];
  const stranger = createServer((request, response) => {
    headers.push(request.headers.authorization);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  await startAt(`http://127.0.0.1:${Object(stranger.address()).port}`);
  expect(await startAt(first)).toEqual([]);
  expect(headers).toEqual([undefined]);
  stranger.close();
});
