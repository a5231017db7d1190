/**
 * A rate that lies far from the one in force is more often a slip (a lost decimal point) than news, and every payout
 * until somebody looks would be made at it. So it needs a second word. Open point OP-229.
 */
import type { Rate } from './rate.ts';
import { exactText, SAMPLE_ORIGIN, type StoredRate } from './stored-rate.ts';

/** Nobody pays at the made-up prices of a sample, so nothing is far from them. Zero percent: every change is taken. */
export function isJump(before: StoredRate | undefined, rate: Rate, maxChangePercent: number): boolean {
  if (before === undefined || before.origin === SAMPLE_ORIGIN || maxChangePercent === 0) return false;
  const [one, other] = [before.rate.num * rate.den, rate.num * before.rate.den];
  const [smaller, larger] = one < other ? [one, other] : [other, one];
  return larger * 100n > smaller * BigInt(100 + maxChangePercent);
}

export function jumpText(before: StoredRate, rate: Rate, maxChangePercent: number): string {
  return `${before.currency}: ${exactText(rate)} is more than ${maxChangePercent} percent from ${exactText(before.rate)}, the rate in force`;
}
