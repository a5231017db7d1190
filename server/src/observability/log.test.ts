import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../kernel/database.ts';
import { type LogOptions, openLog } from './log.ts';

function collect(options: Partial<LogOptions>) {
  const lines: string[] = [];
  const log = openLog({
    level: 'info',
    format: 'json',
    isTerminal: false,
    write: (line) => lines.push(line),
    ...options,
  });
  return { log, lines };
}

function parse(line: string | undefined): Record<string, unknown> {
  const value: unknown = JSON.parse(line ?? 'null');
  expect(value).toBeTypeOf('object');
  return { ...Object(value) };
}

describe('the log', () => {
  it('writes one JSON line for each event, with time, level, message and fields', () => {
    const { log, lines } = collect({});
    log.info('request', { request_id: 'r1', status: 200, account_id: null });
    expect(lines).toHaveLength(1);
    expect(parse(lines[0])).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      message: 'request',
      request_id: 'r1',
      status: 200,
      account_id: null,
    });
  });

  it('tells of each warning and error that it writes, by whichever of its children', () => {
    const { log } = collect({});
    const heard: string[] = [];
    log.warn('before anybody listens');
    log.hearTroubles((trouble) => heard.push(trouble));
    log.info('ready');
    log.error('broken');
    log.child({ account_id: 'a1' }).warn('late');
    log.turnsOf('work').failed(new Error('away'));
    expect(heard).toEqual(['error', 'warn', 'warn']);
  });

  it('takes no field that is spelled in another way than the API spells it', () => {
    const { log, lines } = collect({});
    // @ts-expect-error: `account_id` is the one spelling, so that one search finds all lines of an account.
    log.info('request', { accountId: 'a1' });
    expect(lines).toHaveLength(1);
  });

  it('writes one readable line where it is asked to or where standard output is a terminal', () => {
    const { log, lines } = collect({ format: 'pretty' });
    log.warn('batch failed', { operation: 'fund', commands: 3, note: 'two words', left: undefined });
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}batch failed operation=fund commands=3 note="two words"\n$/,
    );
    const terminal = collect({ format: 'auto', isTerminal: true });
    terminal.log.info('ready');
    expect(terminal.lines[0]).toContain('ready');
    expect(() => JSON.parse(terminal.lines[0] ?? '')).toThrow();
    const pipe = collect({ format: 'auto', isTerminal: false });
    pipe.log.info('ready');
    expect(parse(pipe.lines[0])).toMatchObject({ message: 'ready' });
  });

  it.each(['json', 'pretty'] as const)('leaves out what is below the level (%s)', (format) => {
    const { log, lines } = collect({ level: 'warn', format });
    log.debug('one');
    log.info('two');
    log.warn('three');
    log.error('four');
    expect(lines.map((line) => /three|four/.exec(line)?.[0])).toEqual(['three', 'four']);
  });

  it('gives the fields of a child to each of its lines', () => {
    const { log, lines } = collect({});
    log.child({ request_id: 'r1' }).child({ account_id: 'a1' }).info('done', { ms: 3 });
    expect(parse(lines[0])).toMatchObject({ request_id: 'r1', account_id: 'a1', ms: 3 });
  });

  it.each(['json', 'pretty'] as const)('never writes a value under a secret name (%s)', (format) => {
    const { log, lines } = collect({ format });
    const names = ['secret', 'apiSecret', 'authorization', 'authorization-signature', 'token', 'password', 'upload'];
    for (const name of names) log.child({ [name]: 'hush-1' }).error('event', { [name]: 'hush-2' });
    expect(lines).toHaveLength(names.length);
    expect(lines.join('')).not.toContain('hush');
    expect(lines.join('')).toContain('[hidden]');
  });

  it('tells class, cause and place of a fault, but not what the database quoted', () => {
    const { log, lines } = collect({});
    const refused = Object.assign(new Error('invalid input syntax for type bigint: "Ada Lovelace"'), {
      code: '22P02',
      detail: 'Key (name)=(Ada Lovelace)',
    });
    log.error('failed', { request_id: 'r1' }, new DatabaseUnavailable('connection lost', { cause: refused }));
    expect(parse(lines[0])).toMatchObject({
      fault: 'DatabaseUnavailable: connection lost',
      cause: 'Error: invalid input syntax for type bigint: "..." (22P02)',
      stack: expect.stringContaining('log.test.ts'),
    });
    expect(lines[0]).not.toContain('Lovelace');
  });

  it('cannot be made to write a second line by what it is given', () => {
    const { log, lines } = collect({ format: 'pretty' });
    log.info('line\nbreak', { route: '/v1\r\n12:00:00.000 INFO  forged' });
    expect(lines[0]?.trimEnd()).not.toContain('\n');
    expect(lines[0]).not.toContain('\r');
  });

  it('also takes something that is not an error as a fault', () => {
    const { log, lines } = collect({});
    log.error('failed', {}, 'hush');
    expect(parse(lines[0])).toMatchObject({ fault: 'something that is not an error was thrown (string)' });
  });
});
