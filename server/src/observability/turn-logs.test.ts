import { describe, expect, it } from 'vitest';
import type { LogFields } from '../kernel/log.ts';
import { openLog } from './log.ts';
import { openTurnLogs } from './turn-logs.ts';

const MINUTE_MS = 60_000;
const AWAY = new Error('away', { cause: new Error('connect ECONNREFUSED') });
const STARTING = new Error('away', { cause: new Error('starting up') });
const AWAY_TEXT = 'Error: away <- Error: connect ECONNREFUSED';

interface Line extends LogFields {
  readonly level: string;
  readonly message: string;
}

/** Works by name, each with a turn that goes well or fails as it is told. */
function logged() {
  const lines: Line[] = [];
  let nowMs = 0;
  const turnsOf = openTurnLogs(
    {
      info: (message, fields) => lines.push({ level: 'info', message, ...fields }),
      warn: (message, fields, fault) =>
        lines.push({ level: 'warn', message, ...fields, fault: fault instanceof Error ? fault.message : '' }),
    },
    () => nowMs,
  );
  const work = (name: string) => {
    const turns = turnsOf(name);
    const turn = turns.follow(async () => name);
    return { fail: turns.failed, goWell: turn };
  };
  /** What was told since it was asked last. */
  const told = () => lines.splice(0);
  return { turnsOf, work, told, pass: (ms: number) => (nowMs += ms) };
}

describe('turns that fail by one cause', () => {
  it('are told at once, whoever fails first, then once a minute with their number and all whom it concerns', async () => {
    const { work, told, pass } = logged();
    const [payouts, clock] = [work('payouts'), work('clock')];
    for (let times = 0; times < 10; times += 1) for (const each of [payouts, clock]) each.fail(AWAY);
    expect(told()).toEqual([{ level: 'warn', message: 'payouts', fault: 'away' }]);
    pass(MINUTE_MS - 1);
    clock.fail(AWAY);
    expect(told()).toEqual([]);
    pass(1);
    clock.fail(AWAY);
    payouts.fail(AWAY);
    expect(told()).toEqual([
      { level: 'warn', message: 'clock', fault: 'away', works: 'clock, payouts', not_told_since: 20 },
    ]);
  });

  it('are over when the last of them goes well, which is told once', async () => {
    const { work, told, pass } = logged();
    const [payouts, clock] = [work('payouts'), work('clock')];
    expect(await payouts.goWell()).toBe('payouts');
    payouts.fail(AWAY);
    clock.fail(AWAY);
    clock.fail(AWAY);
    told();
    pass(42_000);
    await payouts.goWell();
    expect(told()).toEqual([]);
    await clock.goWell();
    await clock.goWell();
    const over = { after: AWAY_TEXT, works: 'clock, payouts', failed_turns: 3, seconds: 42 };
    expect(told()).toEqual([{ level: 'info', message: 'work goes on again', ...over }]);
  });

  it('make no more lines when they come and go', async () => {
    const { work, told, pass } = logged();
    const payouts = work('payouts');
    for (let times = 0; times < 50; times += 1) {
      payouts.fail(AWAY);
      await payouts.goWell();
    }
    expect(told().map(({ level }) => level)).toEqual(['warn', 'info']);
    pass(MINUTE_MS);
    payouts.fail(AWAY);
    expect(told()).toMatchObject([{ level: 'warn', not_told_since: 49 }]);
  });

  it('are told apart from those by another cause, to which a work may change without going on', async () => {
    const { work, told } = logged();
    const payouts = work('payouts');
    payouts.fail(AWAY);
    payouts.fail(STARTING);
    payouts.fail(STARTING);
    expect(told().map(({ level }) => level)).toEqual(['warn', 'warn']);
    await payouts.goWell();
    expect(told()).toMatchObject([{ after: 'Error: away <- Error: starting up', failed_turns: 2 }]);
  });

  it('are told to be over also where a work of which is heard only when it fails told of them first', async () => {
    const { turnsOf, work, told } = logged();
    const payouts = work('payouts');
    turnsOf('a connection').failed(AWAY);
    payouts.fail(AWAY);
    await payouts.goWell();
    expect(told().map(({ message }) => message)).toEqual(['a connection', 'work goes on again']);
  });

  it('are not kept open by a work of which is heard only when it fails', async () => {
    const { turnsOf, work, told } = logged();
    const payouts = work('payouts');
    payouts.fail(AWAY);
    turnsOf('a connection').failed(AWAY);
    turnsOf('a connection').failed(STARTING);
    expect(told().map(({ message }) => message)).toEqual(['payouts', 'a connection']);
    await payouts.goWell();
    expect(told()).toMatchObject([{ message: 'work goes on again', works: 'payouts' }]);
  });
});

it('a log and those that come from it know together what was told', () => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', format: 'json', isTerminal: false, write: (line) => lines.push(line) });
  log.turnsOf('payouts').failed(AWAY);
  log.child({ process: 'a' }).turnsOf('clock').failed(AWAY);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', message: 'payouts', fault: 'Error: away', cause: 'Error: connect ECONNREFUSED' },
  ]);
});
