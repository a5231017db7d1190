import { expect, it } from 'vitest';
import { openLog } from '../observability/log.ts';
import { openDoubtLog } from './doubt-log.ts';

const MINUTE_MS = 60_000;
const DOUBT = { provider: 'bridge', call: 'submit', why: 'status 401' };

function logged() {
  const lines: string[] = [];
  let nowMs = 0;
  const log = openLog({ level: 'info', format: 'json', isTerminal: false, write: (line) => lines.push(line) });
  const tell = openDoubtLog(log, () => nowMs);
  return { tell, pass: (ms: number) => (nowMs += ms), told: () => lines.map((line) => JSON.parse(line)) };
}

it('a doubt is told at once, and then once a minute with how many there were', () => {
  const { tell, pass, told } = logged();
  for (let times = 0; times < 4; times += 1) tell(DOUBT);
  expect(told()).toMatchObject([{ level: 'warn', ...DOUBT }]);
  pass(MINUTE_MS);
  tell(DOUBT);
  expect(told()).toMatchObject([DOUBT, { ...DOUBT, not_told_since: 3 }]);
});

it('another cause, call or provider is told by itself', () => {
  const { tell, told } = logged();
  const others = [{ why: 'CERT_HAS_EXPIRED' }, { call: 'status' }, { provider: 'bank' }].map((one) => ({
    ...DOUBT,
    ...one,
  }));
  for (const doubt of [DOUBT, ...others]) tell(doubt);
  expect(told()).toMatchObject([DOUBT, ...others]);
});
