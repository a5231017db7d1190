import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePostmasterFile } from './postmaster-file.ts';
import { canReach, findUser } from './unprivileged.ts';

describe('the user that PostgreSQL runs as when we are root', () => {
  const root = 'root:x:0:0:root:/root:/bin/bash';
  it.each([
    { passwd: [root, 'nobody:x:65534:65534::/:', 'postgres:x:101:104::/:'], expected: { uid: 101, name: 'postgres' } },
    { passwd: [root, 'nobody:x:65534:65533::/:'], expected: { uid: 65534, gid: 65533, name: 'nobody' } },
    { passwd: [root, 'nobody:*:-2:-2::/:', 'daemon:*:1:1::/:'], expected: { uid: 1, gid: 1, name: 'daemon' } },
    { passwd: ['postgres:x:0:0::/:', 'nobody:x:99:99::/:'], expected: { uid: 99, name: 'nobody' } },
    { passwd: ['postgres'], expected: { uid: 65534, gid: 65534, name: 'nobody' } },
    { passwd: [], expected: { uid: 65534, gid: 65534, name: 'nobody' } },
  ])('is $expected.name ($expected.uid) for the users $passwd', ({ passwd, expected }) => {
    expect(findUser(passwd.join('\n'))).toMatchObject(expected);
  });

  it('reaches a directory only when every directory above lets it pass', async () => {
    const place = await mkdtemp(path.join(os.tmpdir(), 'payferry-reach-'));
    const stranger = { uid: 54_321, gid: 54_321, name: 'stranger' };
    const target = path.join(place, 'open', 'data');
    await mkdir(target, { recursive: true });
    await chmod(path.dirname(target), 0o755);
    expect(await canReach(stranger, target)).toBe(false);
    await chmod(place, 0o711);
    expect(await canReach(stranger, target)).toBe(true);
    await rm(place, { recursive: true });
  });
});

describe('the process id file of a server', () => {
  const whole = '4711\n/data/postgres\n1794709483\n5432\n/data/socket\n\n 16506921         4\nready   \n';
  it.each([
    { text: whole, expected: { pid: 4711, port: 5432, socketDirectory: '/data/socket', status: 'ready' } },
    {
      text: whole.replace('/data/socket', ''),
      expected: { pid: 4711, port: 5432, socketDirectory: '', status: 'ready' },
    },
    { text: whole.slice(0, 20), expected: undefined },
    { text: '', expected: undefined },
    { text: '-1\n\n\n5432\n', expected: undefined },
  ])('is read as $expected', ({ text, expected }) => {
    expect(parsePostmasterFile(text)).toEqual(expected);
  });
});
