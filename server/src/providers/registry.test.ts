import { describe, expect, it } from 'vitest';
import { FakeBridge } from '../../../test/providers/fake-bridge.ts';
import { anOrder, patience } from '../../../test/providers/orders.ts';
import { defaultSettings } from '../../../test/support/create-facts.ts';
import { loadCatalogue } from '../corridors/catalogue.ts';
import { systemClock } from '../kernel/clock.ts';
import { signedHeaders } from './bridge/signature.ts';
import { checkProviders, openProviders, ProvidersInvalid } from './registry.ts';

function open(flags: Readonly<Record<string, string>> = {}) {
  return openProviders({ settings: defaultSettings(flags), clock: systemClock });
}

function namesFor(flags: Readonly<Record<string, string>>, payoutType: string): readonly string[] {
  return open(flags)
    .providersFor(payoutType)
    .map(({ name }) => name);
}

describe('in the sandbox', () => {
  it('one provider pays every type', () => {
    for (const { type } of loadCatalogue().payouts()) expect(namesFor({}, type)).toEqual(['sandbox_auto']);
  });

  it('it has the name that the settings give it', () => {
    expect(namesFor({ sandboxProviderName: 'test_bank' }, 'NGN::Bank')).toEqual(['test_bank']);
  });

  it('a second one stands behind it when it is switched on', () => {
    expect(namesFor({ sandboxBackupProvider: 'true' }, 'NGN::Bank')).toEqual(['sandbox_auto', 'sandbox_backup']);
  });

  it('a provider is found by its name, and one that is gone is not', () => {
    expect(open().named('sandbox_auto')?.name).toBe('sandbox_auto');
    expect(open().named('sandbox_backup')).toBeUndefined();
  });
});

describe('the order of providers', () => {
  const flags = {
    sandboxBackupProvider: 'true',
    providersOrder: '*=sandbox_auto,NGN::Bank=sandbox_backup sandbox_auto',
  };

  it.each([
    ['NGN::Bank', ['sandbox_backup', 'sandbox_auto']],
    ['GHS::Bank', ['sandbox_auto']],
  ])('for %s is as the settings say', (payoutType, names) => {
    expect(namesFor(flags, payoutType)).toEqual(names);
  });

  it('may not name a provider that is not set up', () => {
    expect(() => open({ providersOrder: 'BTC=nobody' })).toThrow(
      new ProvidersInvalid('providers.order names nobody for BTC, which is not set up; set up: sandbox_auto'),
    );
  });

  it('is checked before the start, with all its mistakes at once', async () => {
    const types = new Set(['NGN::Bank', 'BTC']);
    const check = (providersOrder: string) => checkProviders(defaultSettings({ providersOrder }), types);
    await check('*=sandbox_auto,NGN::Bank=sandbox_auto');
    await expect(check('BTC=nobody sandbox_auto no_one,NGN::Bnak=sandbox_auto')).rejects.toThrow(
      new ProvidersInvalid(
        [
          'providers.order has an order for NGN::Bnak, which is no payout type',
          'providers.order names nobody for BTC, which is not set up; set up: sandbox_auto',
          'providers.order names no_one for BTC, which is not set up; set up: sandbox_auto',
        ].join('\n'),
      ),
    );
  });

  it('refuses two providers of one name', () => {
    const { named } = open();
    const twice = () => named('sandbox_auto');
    expect(() => openProviders({ settings: defaultSettings(), clock: systemClock }, [twice, twice])).toThrow(
      ProvidersInvalid,
    );
  });
});

describe('a bridge', () => {
  const bridge = { bridgeUrl: 'https://bridge.example.com', bridgeSecret: 's'.repeat(32) };
  const live = { mode: 'live', publicUrl: 'https://pay.example.com' };

  it('is a provider where the settings name it, before those of the sandbox', async () => {
    expect(namesFor(bridge, 'NGN::Bank')).toEqual(['bridge', 'sandbox_auto']);
    expect(namesFor({ ...bridge, ...live, bridgeName: 'first_bank' }, 'NGN::Bank')).toEqual(['first_bank']);
    await open(bridge).close();
  });

  it('is spoken to by the time of the world, wherever the clock of the sandbox stands', async () => {
    const bank = new FakeBridge(bridge.bridgeSecret, () => new Date());
    await bank.open();
    const settings = defaultSettings({ ...bridge, bridgeUrl: bank.url });
    const providers = openProviders({ settings, clock: { now: () => new Date(Date.now() + 86_400_000) } });
    const answer = await providers.named('bridge')?.submit(anOrder(), patience());
    const body = '{"payouts":[]}';
    const headers = signedHeaders('callback bridge', body, bridge.bridgeSecret, new Date());
    const news = providers.named('bridge')?.parseCallback?.({ headers, rawBody: Buffer.from(body) });
    await providers.close();
    await bank.close();
    expect([answer, news]).toEqual([{ kind: 'paid' }, []]);
  });

  it.each([
    ['without its secret', { bridgeUrl: bridge.bridgeUrl }, 'bridge.url must be set together with bridge.secret'],
    [
      'without its address',
      { bridgeSecret: bridge.bridgeSecret },
      'bridge.url must be set together with bridge.secret',
    ],
    [
      'in plain HTTP when live',
      { ...live, ...bridge, bridgeUrl: 'http://bridge.example.com' },
      'must be an https address',
    ],
  ])('is refused %s', (_, flags, words) => {
    expect(() => open(flags)).toThrow(words);
  });
});

it('live, nobody pays who only pretends to', () => {
  const live = defaultSettings({
    mode: 'live',
    publicUrl: 'https://pay.example.com',
    sandboxBackupProvider: 'true',
  });
  expect(openProviders({ settings: live, clock: systemClock }).all()).toEqual([]);
});
