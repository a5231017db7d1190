/** The embedded PostgreSQL of another program, which is killed, or which an ordinary user runs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { present } from '../../../server/src/kernel/assert.ts';
import type { EmbeddedPostgres } from '../../../server/src/storage/embedded/supervisor.ts';
import { canReach } from '../../../server/src/storage/embedded/unprivileged.ts';
import { EmbeddedServers, query } from '../../support/embedded-servers.ts';

const NOBODY = { uid: 65_534, gid: 65_534, name: 'nobody' };
const isRoot = process.getuid?.() === 0;
const SUPERVISOR = fileURLToPath(new URL('../../../server/src/storage/embedded/supervisor.ts', import.meta.url));
/** A checkout in a private home cannot be read by another user. */
const ordinaryUserToo = isRoot && (await canReach(NOBODY, SUPERVISOR));

const embedded = await EmbeddedServers.make();
const { place, dataDir } = embedded;
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Another program that starts the server, says its pid and then stays until it is killed. */
async function startChild(directory: string, identity: { uid?: number; gid?: number } = {}) {
  const code = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(pathToFileURL(SUPERVISOR).href)});
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(directory)} });
    console.log(JSON.stringify({ serverPid: server.pid(), connection: server.connection }));
    process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
    setInterval(() => undefined, 1000);`;
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...identity,
  });
  children.push(child);
  const [line] = await once(present(child.stdout, 'the output of the child'), 'data');
  const said: { serverPid: number; connection: EmbeddedPostgres['connection'] } = JSON.parse(String(line));
  return { child, ...said };
}

async function ended(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit');
  return code;
}

describe('the embedded PostgreSQL of another program', () => {
  it('is taken over when that was killed', async () => {
    const first = await startChild(dataDir);
    await query(first, 'create table note (text text not null)');
    await query(first, "insert into note values ('kept')");
    first.child.kill('SIGKILL');
    await ended(first.child);
    const server = await embedded.start();
    expect(server.adopted).toBe(true);
    expect(server.pid()).toBe(first.serverPid);
    expect(await query(server, 'select text from note')).toEqual(['kept']);
    await server.stop();
    await expect(query(server, 'select 1')).rejects.toThrow();
  });

  it('is started again when it was taken over and is killed', async () => {
    const first = await startChild(dataDir);
    first.child.kill('SIGKILL');
    await ended(first.child);
    const server = await embedded.startAndKill();
    expect(server.adopted).toBe(true);
    expect(await query(server, 'select text from note')).toEqual(['kept']);
    await server.stop();
  });

  it.runIf(ordinaryUserToo)('runs for an ordinary user, and for root after it', async () => {
    const home = path.join(place, 'ordinary');
    await mkdir(home);
    await chown(home, NOBODY.uid, NOBODY.gid);
    const directory = path.join(home, 'data');
    const first = await startChild(directory, { uid: NOBODY.uid, gid: NOBODY.gid });
    expect(await query(first, 'select 1')).toEqual([1]);
    first.child.kill('SIGTERM');
    expect(await ended(first.child)).toBe(0);
    const server = await embedded.start({ dataDir: directory });
    expect((await stat(path.join(directory, 'postgres'))).uid).toBe(NOBODY.uid);
    expect(await readFile(path.join(directory, 'postgres.log'), 'utf8')).toContain('database system is shut down');
    await server.stop();
  });
});
