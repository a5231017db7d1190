/** `rate set|list` through the operator listener. */
import { describe, expect, it } from 'vitest';
import { sampleRatesFile } from '../../server/src/kernel/program-files.ts';
import { fileRateSource, parseRateFile } from '../../server/src/rates/file-source.ts';
import { refreshRates } from '../support/refresh-rates.ts';
import { at, auditEntries, startOperatorService } from './support.ts';

const DAY_MS = 86_400_000;

describe('rates', async () => {
  const service = await startOperatorService();
  const { call, ctx } = service;
  const rateOf = async (currency: string) => {
    const rates = at((await call('GET', '/operator/rates')).body, 'rates');
    if (!Array.isArray(rates)) throw new Error('no rates');
    return rates.find((rate) => at(rate, 'currency') === currency);
  };

  it('what an operator sets is in force, and told with the rate before and after', async () => {
    const first = await call('PUT', '/operator/rates/NGN', { value: '1500.50' });
    expect(first).toMatchObject({
      status: 200,
      body: { rate: { currency: 'NGN', value: '1500.5', origin: 'operator ada', stale: false } },
    });
    expect(await rateOf('NGN')).toEqual(at(first.body, 'rate'));
    service.moveClock(1_000);
    await call('PUT', '/operator/rates/NGN', { value: '1600' });
    expect(await auditEntries(service, '&subject=NGN')).toMatchObject([
      {
        action: 'rate.set',
        before: { value: '1500.5', origin: 'operator ada', as_of: '2026-11-16T09:00:00.000Z' },
        after: { value: '1600', origin: 'operator ada', as_of: '2026-11-16T09:00:01.000Z' },
      },
      { before: null },
    ]);
  });

  it('a file that is older does not replace it; the other rates of the file are taken', async () => {
    await refreshRates(ctx, fileRateSource(sampleRatesFile()));
    expect(await rateOf('NGN')).toMatchObject({ value: '1600', origin: 'operator ada' });
    expect(await rateOf('EUR')).toMatchObject({ value: '0.92', origin: 'sample' });
  });

  it('no rate is shown as stale in the sandbox, where every one is used', async () => {
    const commandId = ctx.ids.next();
    await call('PUT', '/operator/rates/XOF', { value: '600' }, { commandId });
    service.moveClock(10 * DAY_MS);
    expect(await rateOf('XOF')).toMatchObject({ stale: false });
    const repeated = await call('PUT', '/operator/rates/XOF', { value: '600' }, { commandId });
    expect(at(repeated.body, 'rate')).toMatchObject({ stale: false });
  });

  describe('the word of an operator', () => {
    const fileOf = (value: string, asOf: Date) => {
      const rates = { KES: value };
      const text = JSON.stringify({ base: 'USD', as_of: asOf.toISOString(), rates });
      return { read: async () => parseRateFile('rates.json', text) };
    };
    const later = (byMs: number) => new Date(ctx.clock.now().getTime() + byMs);

    it('wins over a file that is dated a minute ahead, also when that file is read again', async () => {
      const file = fileOf('129', later(60_000));
      await refreshRates(ctx, file);
      await call('PUT', '/operator/rates/KES', { value: '130' });
      await refreshRates(ctx, file);
      expect(await rateOf('KES')).toMatchObject({ value: '130', origin: 'operator ada', stale: false });
    });

    it('replaces a stored rate that is dated years ahead, and later files are taken again', async () => {
      await service.db.execute("update mid_rates set as_of = '2036-11-16T08:00:00Z' where currency = 'KES'");
      await call('PUT', '/operator/rates/KES', { value: '131' });
      expect(await rateOf('KES')).toMatchObject({ value: '131', as_of: ctx.clock.now().toISOString(), stale: false });
      service.moveClock(1_000);
      expect(await refreshRates(ctx, fileOf('132', ctx.clock.now()))).toEqual(['KES']);
      expect(await rateOf('KES')).toMatchObject({ value: '132', origin: 'file' });
    });
  });

  it('setting it again under the same command id changes nothing', async () => {
    const commandId = ctx.ids.next();
    const first = await call('PUT', '/operator/rates/KES', { value: '129.50' }, { commandId });
    service.moveClock(1_000);
    const second = await call('PUT', '/operator/rates/KES', { value: '129.5' }, { commandId });
    expect(second.body).toEqual(first.body);
    expect((await call('PUT', '/operator/rates/KES', { value: '130' }, { commandId })).body).toMatchObject({
      error: 'command_id_taken',
    });
  });

  it('two operators who set a new rate at the same moment are both told so', async () => {
    const answers = await Promise.all(
      ['25000', '25001', '25002', '25003'].map((value) => call('PUT', '/operator/rates/VND', { value })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await auditEntries(service, '&subject=VND')).toHaveLength(4);
  });

  it.each([
    ['USD', '1', 'rate_invalid'],
    ['ABC', '1', 'currency_unknown'],
    ['ngn', '1', 'currency_unknown'],
    ['NGN', '0', 'rate_invalid'],
    ['NGN', '-1', 'rate_invalid'],
    ['NGN', '1,5', 'rate_invalid'],
    ['NGN', '', 'rate_invalid'],
    ['NGN', `1.${'3'.repeat(40)}`, 'rate_invalid'],
    ['NGN', 1500, 'invalid'],
  ])('%s at %s is refused with %s', async (currency, value, error) => {
    expect(await call('PUT', `/operator/rates/${currency}`, { value })).toMatchObject({ status: 422, body: { error } });
  });
});

describe('a rate far from the one in force', async () => {
  const service = await startOperatorService({ flags: { ratesMaxChangePercent: '20' } });
  const put = (value: string, force?: boolean) =>
    service.call('PUT', '/operator/rates/NGN', { value, ...(force === undefined ? {} : { force }) });

  it('is refused and changes nothing, until it is forced', async () => {
    await put('1525.4');
    expect(await put('15254')).toMatchObject({
      status: 422,
      body: {
        error: 'rate_jump',
        details: [expect.stringContaining('NGN: 15254 is more than 20 percent from 1525.4')],
      },
    });
    expect(await put('1300')).toMatchObject({ status: 200 });
    expect(await put('2600', true)).toMatchObject({ status: 200, body: { rate: { value: '2600' } } });
    expect(await auditEntries(service, '&subject=NGN')).toHaveLength(3);
  });
});

describe('rates in live mode', async () => {
  const service = await startOperatorService({ mode: 'live' });
  const { call } = service;
  const shown = async () => at((await call('GET', '/operator/rates')).body, 'rates', 0);

  it('are shown as stale when they were not renewed for a day', async () => {
    const commandId = service.ctx.ids.next();
    const set = () => call('PUT', '/operator/rates/XOF', { value: '600' }, { commandId });
    await set();
    service.moveClock(DAY_MS - 1);
    expect(await shown()).toMatchObject({ currency: 'XOF', stale: false });
    service.moveClock(1);
    expect(await shown()).toMatchObject({ currency: 'XOF', stale: true });
    expect(at((await set()).body, 'rate')).toMatchObject({ stale: true });
  });

  it('are shown as stale when they are dated years ahead, until an operator sets them', async () => {
    await service.db.execute("update mid_rates set as_of = '2036-11-16T08:00:00Z' where currency = 'XOF'");
    expect(await shown()).toMatchObject({ stale: true });
    await call('PUT', '/operator/rates/XOF', { value: '601' });
    expect(await shown()).toMatchObject({ value: '601', stale: false });
  });
});
