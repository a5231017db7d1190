import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { silentLog } from '../kernel/log.ts';
import { localWake } from '../kernel/wake.ts';
import { ALL_ACTIVE, openSwitches, switchedOff, switchesFrom, switchOff, switchOn } from './switches.ts';

const NOON = new Date('2026-11-16T12:00:00.000Z');
const WHOLE = { direction: 'payout', type: 'NGN::Bank', provider: undefined } as const;
const OF_ONE = { direction: 'payout', type: 'GHS::Mobile', provider: 'first' } as const;
const PAYIN = { direction: 'payin', type: 'XOF::Mobile', provider: undefined } as const;

describe('what is switched off', () => {
  const switches = switchesFrom([WHOLE, OF_ONE, PAYIN]);

  it.each([
    ['NGN::Bank', 'payout', false],
    ['NGN::Bank', 'payin', true],
    ['GHS::Mobile', 'payout', true],
    ['XOF::Mobile', 'payin', false],
    ['XOF::Mobile', 'payout', true],
  ] as const)('%s as a %s: active is %s', (type, direction, isActive) => {
    expect(switches.isActive(type, direction)).toBe(isActive);
  });

  it.each([
    ['NGN::Bank', 'first', false],
    ['GHS::Mobile', 'first', false],
    ['GHS::Mobile', 'second', true],
    ['KES::Bank', 'first', true],
  ] as const)('%s through %s: active is %s', (type, provider, isActive) => {
    expect(switches.isProviderActive(type, provider)).toBe(isActive);
  });

  it('is nothing unless an operator says so', () => {
    expect(ALL_ACTIVE.isActive('NGN::Bank')).toBe(true);
    expect(ALL_ACTIVE.isProviderActive('NGN::Bank', 'first')).toBe(true);
  });
});

describe('the copy of a process', async () => {
  const { db } = await freshDatabase();

  it('is right from the start, follows a wake-up, and stays as it was once closed', async () => {
    await db.inTx((tx) => switchOff(tx, { ...WHOLE, since: NOON, by: 'ada' }));
    const wake = localWake();
    const switches = await openSwitches({ db, wake, log: silentLog });
    expect(switches.isActive('NGN::Bank')).toBe(false);
    await db.inTx((tx) => switchOn(tx, WHOLE));
    wake.wake('corridors');
    await expect.poll(() => switches.isActive('NGN::Bank')).toBe(true);
    await switches.close();
    await db.inTx((tx) => switchOff(tx, { ...WHOLE, since: NOON, by: 'ada' }));
    wake.wake('corridors');
    expect(switches.isActive('NGN::Bank')).toBe(true);
  });

  it('follows also when no wake-up comes, because it looks by itself', async () => {
    const switches = await openSwitches({ db, wake: localWake(), log: silentLog });
    await db.inTx((tx) => switchOff(tx, { ...PAYIN, since: NOON, by: 'ada' }));
    await expect.poll(() => switches.isActive('XOF::Mobile', 'payin')).toBe(false);
    await switches.close();
  });

  it('is off once, by whoever was first, and on again once', async () => {
    await db.inTx((tx) => switchOn(tx, OF_ONE));
    expect(await db.inTx((tx) => switchOff(tx, { ...OF_ONE, since: NOON, by: 'ada' }))).toBeUndefined();
    expect(await db.inTx((tx) => switchOff(tx, { ...OF_ONE, since: new Date(0), by: 'bob' }))).toMatchObject({
      by: 'ada',
    });
    expect(await db.inTx(switchedOff)).toContainEqual({ ...OF_ONE, since: NOON, by: 'ada' });
    expect(await db.inTx((tx) => switchOn(tx, OF_ONE))).toMatchObject({ by: 'ada' });
    expect(await db.inTx((tx) => switchOn(tx, OF_ONE))).toBeUndefined();
  });

  it('is told truly to operators who switch it at the same moment', async () => {
    const done = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const off = { ...OF_ONE, since: new Date(index), by: `operator-${index}` };
        return db.inTx((tx) => (index % 2 === 0 ? switchOff(tx, off) : switchOn(tx, OF_ONE)));
      }),
    );
    const isOff = (await db.inTx(switchedOff)).some(({ type }) => type === OF_ONE.type);
    const switchedOffCount = done.filter((before, index) => index % 2 === 0 && before === undefined).length;
    const switchedOnCount = done.filter((before, index) => index % 2 === 1 && before !== undefined).length;
    expect(switchedOffCount - switchedOnCount).toBe(isOff ? 1 : 0);
  });
});
