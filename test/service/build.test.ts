/** What is built for `npm start`, in the process that then becomes the service. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const BUNDLE = join(import.meta.dirname, '../../scripts/bundle.js');
const place = await mkdtemp(join(tmpdir(), 'payferry-build-'));
afterAll(() => rm(place, { recursive: true, force: true }));

/** Builds, and then prints the programs that run on beside it. One that has just ended is taken note of in a moment. */
const SCRIPT = `
  import { execFileSync } from 'node:child_process';
  import { setTimeout as sleep } from 'node:timers/promises';
  const { bundle } = await import(${JSON.stringify(pathToFileURL(BUNDLE).href)});
  await bundle(${JSON.stringify(place)});
  const others = () =>
    execFileSync('ps', ['-A', '-o', 'ppid=,args='], { encoding: 'utf8' })
      .split('\\n')
      .filter((line) => Number.parseInt(line) === process.pid && !line.includes('ps -A'));
  for (let looks = 0; looks < 50 && others().length > 0; looks += 1) await sleep(100);
  console.log(JSON.stringify(others()));
`;

it('the program is there, and nothing of the builder is left running', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT]);
  expect(JSON.parse(stdout)).toEqual([]);
  expect(await readdir(place)).toContain('cli');
});
