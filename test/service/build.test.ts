/** What is built for `npm start`, in the process that then becomes the service. */
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const BUNDLE = join(import.meta.dirname, '../../scripts/bundle.js');
const BUILD = join(import.meta.dirname, '../../scripts/build.js');
/** Nobody: root may write wherever it likes. */
const ANOTHER_USER = 65_534;
const place = await mkdtemp(join(tmpdir(), 'payferry-build-'));
const checkout = join(place, 'checkout');
afterAll(async () => {
  await chmod(checkout, 0o755);
  await rm(place, { recursive: true, force: true });
});

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

it('a checkout that cannot be written to is told in one line', async () => {
  await mkdir(join(checkout, 'scripts'), { recursive: true });
  await mkdir(join(checkout, 'server', 'src'), { recursive: true });
  await copyFile(BUILD, join(checkout, 'scripts', 'build.js'));
  for (const file of ['package.json', 'package-lock.json', 'scripts/bundle.js', 'server/src/main.ts']) {
    await writeFile(join(checkout, file), file === 'package.json' ? '{ "type": "module" }' : '');
  }
  await chmod(place, 0o755);
  await chmod(checkout, 0o555);
  const user = process.getuid?.() === 0 ? { uid: ANOTHER_USER, gid: ANOTHER_USER } : {};
  const built = promisify(execFile)(process.execPath, [join(checkout, 'scripts', 'build.js')], user);
  await expect(built).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Building \.\.\.\nThe program cannot be built: EACCES: [^\n]*\n$/),
  });
});
