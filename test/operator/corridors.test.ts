/** Operators look at corridors, switch them and their providers, and hold an account to some of them. */
import { describe, expect, it } from 'vitest';
import { at, auditEntries, createPlainAccount, startOperatorService } from './support.ts';

const service = await startOperatorService();
const { call } = service;

async function lineOf(type: string, direction = 'payout') {
  const listed = at((await call('GET', '/operator/corridors')).body, 'corridors');
  if (!Array.isArray(listed)) throw new Error('no list');
  return listed.find((line) => at(line, 'type') === type && at(line, 'direction') === direction);
}

describe('corridors', () => {
  it('are listed with their files, all of them on at first', async () => {
    expect(await lineOf('NGN::Bank')).toMatchObject({ active: true, providers_off: [], file: 'payout/ngn-bank.json' });
    expect(await lineOf('NGN::Bank', 'payin')).toMatchObject({ active: true, file: 'payin/ngn-bank.json' });
  });

  it('are shown with their fields and an example', async () => {
    const shown = await call('GET', '/operator/corridors/NGN%3A%3ABank');
    expect(at(shown.body, 'corridor')).toMatchObject({
      type: 'NGN::Bank',
      countries: ['NG'],
      variants: [{ recipient: 'person', example: { bank_code: expect.any(String) } }, { recipient: 'business' }],
    });
    const conditional = await call('GET', '/operator/corridors/USD%3A%3ABank');
    expect(at(conditional.body, 'corridor', 'variants', '0')).toMatchObject({
      choices: [],
      conditions: expect.arrayContaining([{ field: 'street', required: true, when: { country: ['EG'] } }]),
    });
    const payin = await call('GET', '/operator/corridors/XOF%3A%3AMobile?direction=payin');
    expect(at(payin.body, 'corridor')).toMatchObject({ direction: 'payin', ux_flows: expect.any(Array) });
  });

  it('are switched off and on, and the audit log tells who did it', async () => {
    let wakeUps = 0;
    const stopCounting = service.ctx.wake.on('corridors', () => {
      wakeUps += 1;
    });
    const off = await call('PUT', '/operator/corridors/GHS%3A%3ABank', { active: false });
    expect(off).toMatchObject({
      status: 200,
      body: { corridor: { type: 'GHS::Bank', provider: null, active: false, off_by: 'ada' } },
    });
    expect(wakeUps).toBe(1);
    expect(await lineOf('GHS::Bank')).toMatchObject({ active: false, off_by: 'ada' });
    expect(await call('PUT', '/operator/corridors/GHS%3A%3ABank', { active: true })).toMatchObject({
      body: { corridor: { active: true, off_since: null, off_by: null } },
    });
    expect(wakeUps).toBe(2);
    stopCounting();
    expect(await lineOf('GHS::Bank')).toMatchObject({ active: true });
    expect(await auditEntries(service, '&subject=GHS::Bank')).toMatchObject([
      { action: 'corridor.enable', operator: 'ada', before: { active: false }, after: { active: true } },
      { action: 'corridor.disable', operator: 'ada', before: { active: true }, after: { active: false } },
    ]);
  });

  it('are switched for one provider alone, and for payins apart from payouts', async () => {
    const body = { active: false, provider: 'sandbox' };
    expect((await call('PUT', '/operator/corridors/KES%3A%3ABank', body)).status).toBe(200);
    expect(await lineOf('KES::Bank')).toMatchObject({ active: true, providers_off: ['sandbox'] });
    await call('PUT', '/operator/corridors/UGX%3A%3AMobile', { active: false, direction: 'payin' });
    expect(await lineOf('UGX::Mobile', 'payin')).toMatchObject({ active: false });
    expect(await lineOf('UGX::Mobile')).toMatchObject({ active: true });
  });

  it.each([
    ['payout', 'sandbox-auto', 'no provider is named sandbox-auto; there are: sandbox'],
    ['payin', 'sandbox', 'no provider is named sandbox; there are: none'],
  ])('are not said to be off for a provider that is not there: %s, %s', async (direction, provider, why) => {
    const path = '/operator/corridors/GHS%3A%3AMobile';
    expect(await call('PUT', path, { active: false, direction, provider })).toMatchObject({
      status: 404,
      body: { error: 'provider_not_found', details: [why] },
    });
    expect(await lineOf('GHS::Mobile', direction)).toMatchObject({ providers_off: [] });
    expect((await call('PUT', path, { active: true, direction, provider })).status).toBe(200);
  });

  it('that are off already stay so under their first name', async () => {
    await call('PUT', '/operator/corridors/CAD%3A%3ABank', { active: false });
    const first = await lineOf('CAD::Bank');
    service.moveClock(60_000);
    const again = await call('PUT', '/operator/corridors/CAD%3A%3ABank', { active: false });
    expect(at(again.body, 'corridor')).toMatchObject({ off_since: at(first, 'off_since'), off_by: 'ada' });
    expect(await lineOf('CAD::Bank')).toEqual(first);
  });

  it('are switched once by one command, and nothing else may be done under its id', async () => {
    const commandId = service.ctx.ids.next();
    const path = '/operator/corridors/NZD%3A%3ABank';
    const first = await call('PUT', path, { active: false }, { commandId });
    await call('PUT', path, { active: true });
    expect((await call('PUT', path, { active: false }, { commandId })).body).toEqual(first.body);
    expect(await lineOf('NZD::Bank')).toMatchObject({ active: true });
    expect((await call('PUT', path, { active: true }, { commandId })).body).toMatchObject({
      error: 'command_id_taken',
    });
  });

  it.each([
    ['PUT', '/operator/corridors/QQQ%3A%3ABank', { active: false }, 422, 'corridor_unknown'],
    ['PUT', '/operator/corridors/KES%3A%3ABank', { active: false, direction: 'payin' }, 422, 'corridor_unknown'],
    ['PUT', '/operator/corridors/KES%3A%3ABank', {}, 422, 'invalid'],
    ['PUT', '/operator/corridors/KES%3A%3ABank', { active: false, provider: 'A B' }, 422, 'invalid'],
    ['GET', '/operator/corridors/QQQ%3A%3ABank', undefined, 404, 'corridor_unknown'],
  ])('%s %s with %j answers %i %s', async (method, path, body, status, error) => {
    expect(await call(method, path, body)).toMatchObject({ status, body: { error } });
  });
});

describe('the corridors of an account', () => {
  it('are all of them until an operator names some, and all again when the list is taken away', async () => {
    const id = await createPlainAccount(service);
    const path = `/operator/accounts/${id}`;
    expect(at((await call('GET', path)).body, 'account', 'corridors')).toBeNull();
    const corridors = ['NGN::Bank', 'GHS::Bank', 'NGN::Bank'];
    expect((await call('PATCH', path, { corridors })).body).toMatchObject({
      account: { corridors: ['GHS::Bank', 'NGN::Bank'] },
    });
    expect((await call('PATCH', path, { name: 'Other' })).body).toMatchObject({
      account: { corridors: ['GHS::Bank', 'NGN::Bank'] },
    });
    expect((await call('PATCH', path, { corridors: null })).body).toMatchObject({ account: { corridors: null } });
  });

  it('cannot be types that the service does not have', async () => {
    const id = await createPlainAccount(service);
    const body = { corridors: ['NGN::Bank', 'NGN::Bonk'] };
    for (const answer of [
      await call('PATCH', `/operator/accounts/${id}`, body),
      await call('POST', '/operator/accounts', { name: 'x', ...body }),
    ]) {
      expect(answer).toMatchObject({
        status: 422,
        body: { error: 'corridor_unknown', details: ['corridors: NGN::Bonk is not a type of the service'] },
      });
    }
  });
});
