/** `payferry serve` that cannot start: told in one line where that is enough, with nothing left behind. */
import { readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunningProgram, runProgram } from '../../../prove/running-program.ts';
import { openPrograms } from '../programs.ts';

const FREE_PORTS = ['--port', '0', '--operator-port', '0'];

const programs = openPrograms();
let program: RunningProgram;
let otherDir: string;

beforeAll(async () => {
  program = await programs.start(await programs.newDirectory());
  otherDir = await programs.newDirectory();
});

describe('a start that cannot be', () => {
  it('is refused on the data directory of another program, which goes on', async () => {
    const second = await runProgram(['serve', '--data', program.dataDir, ...FREE_PORTS]);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(/^payferry: The data directory \S+ is in use by another program \(pid \d+/);
    expect(second.stderr.trimEnd()).not.toContain('\n');
    expect(await program.caller.get('/v1/accounts')).toMatchObject({ status: 200 });
  });

  it.each([
    ['a file', 'is not a directory'],
    ['a file/data', 'cannot be used: ENOTDIR'],
    ['/dev/null', 'is not a directory'],
    // There Node's own way to make a directory with those above it tries for ever.
    ['/proc/payferry/data', 'cannot be used: E'],
    ['/proc', 'cannot be used: E'],
  ])('is told in one line when the data directory is %s', async (name, why) => {
    const place = await programs.newDirectory();
    await writeFile(join(place, 'a file'), '');
    const directory = resolve(place, name);
    const run = await runProgram(['serve', '--data', directory, ...FREE_PORTS]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(new RegExp(`^payferry: .*${directory} ${why}.*--data.*\\n$`));
  });

  it.each(['--port', '--operator-port'])('tells about a taken %s and leaves nothing running', async (flag) => {
    const { port } = new URL(program.access.url);
    const run = await runProgram(['serve', '--data', otherDir, ...FREE_PORTS, flag, port]);
    expect(run).toMatchObject({
      code: 1,
      stderr: `payferry: Port ${port} on 127.0.0.1 is taken. Choose another with ${flag}, or ${flag} 0 for a free one.\n`,
    });
    const left = [...(await readdir(otherDir)), ...(await readdir(join(otherDir, 'postgres')))];
    expect(left.filter((name) => name === 'postmaster.pid' || name.endsWith('.lock'))).toEqual([]);
  });

  it.each([
    ['providers.order', ['--providers-order', 'NGN::Bank=nobody'], 'names nobody for NGN::Bank, which is not set up'],
    ['corridors.variants', ['--corridors-variants', 'payout/ngn-nowhere=published'], 'The corridors have mistakes:'],
    ['screening.lists', ['--screening-lists', 'un-xml:/nowhere/un.xml'], '/nowhere/un.xml: cannot be read'],
    ['rates.margins', ['--rates-margins', '*=0,USD/XXX=0.01'], 'USD/XXX'],
  ])('tells a mistake in %s before there is a database', async (_, flags, mistake) => {
    const dataDir = await programs.newDirectory();
    const run = await runProgram(['serve', '--data', dataDir, ...FREE_PORTS, ...flags]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(mistake);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('tells of a sanctions list that cannot be read, in one line and with its file', async () => {
    const lists = ['--screening-lists', 'un-xml:/nowhere/un.xml'];
    const run = await runProgram(['serve', '--data', otherDir, ...FREE_PORTS, ...lists]);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^payferry: screening\.lists: \/nowhere\/un\.xml: cannot be read [^\n]+\n$/);
  });

  it('tells all mistakes of the settings at once, before it does anything', async () => {
    const dataDir = await programs.newDirectory();
    const config = join(dataDir, 'payferry.toml');
    await writeFile(config, '[log]\nlevel = "loud"\ncolour = true\n');
    const flags = ['--config', config, '--data', dataDir, '--port', 'many'];
    const run = await runProgram(['serve', ...flags], { PAYFERRY_PROT: '1', PAYFERRY_API_KEY: 'alone' });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    for (const mistake of ['port: expected', 'PAYFERRY_PROT', 'log.level: expected', 'log.colour', 'sandbox.api_key']) {
      expect(run.stderr).toContain(mistake);
    }
    expect(await readdir(dataDir)).toEqual(['payferry.toml']);
  });
});
