/** How a program of PostgreSQL's ends, told by small programs in its place. */
import { describe, expect, it } from 'vitest';
import { runProgram } from './run-program.ts';

const LIMIT_MS = 30_000;

function run(script: string) {
  return runProgram(process.execPath, ['-e', script], { user: undefined, limitMs: LIMIT_MS });
}

describe("a program of PostgreSQL's", () => {
  it('that fails is told by its complaints, not by what it had done before', async () => {
    const script = "console.log('creating subdirectories ... ok'); console.error('no room'); process.exitCode = 1";
    expect(await run(script)).toEqual({ ok: false, output: 'no room' });
  });

  it('that fails without a complaint is told by what it said last', async () => {
    expect(await run("console.log('halfway'); process.exitCode = 1")).toEqual({ ok: false, output: 'halfway' });
  });

  it('that works is told by all that it said', async () => {
    expect(await run("console.log('postgres (PostgreSQL) 18.4')")).toEqual({
      ok: true,
      output: 'postgres (PostgreSQL) 18.4',
    });
  });

  it.runIf(process.platform === 'linux')(
    'runs in a session of its own, which no Ctrl-C in our terminal reaches',
    async () => {
      // After the name in brackets: state, parent, group.
      const script =
        "console.log(require('fs').readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[2] === String(process.pid))";
      expect(await run(script)).toEqual({ ok: true, output: 'true' });
    },
  );
});
