/** The flow of a payin method after an edit: it follows the details, or is what the caller chose. */
import { describe, expect, it } from 'vitest';
import { collect, payinIn, XOF_PAYER } from '../support/collections.ts';
import { wordsIn } from '../support/transactions.ts';
import { type Collection, MINUTE_MS, openPayerWorld } from './payer-world.ts';

const { app, payer, collection } = await openPayerWorld();
const FREE = { phone_number: '+221761234700', mobile_provider: 'free' };
const GHANA = { currency: 'GHS', type: 'GHS::Mobile', amount: 50 } as const;
const inGhana = (mobile_provider: string) => ({ phone_number: '+233302123400', mobile_provider });
const REFUSED = { does: 'fail', code: '412' } as const;
const WAITS = { does: 'wait' } as const;

const patch = ({ account, created }: Collection, body: object) =>
  account.caller.patch(`/v1/payin_methods/${created.payin.id}`, body);
const retry = ({ account, created }: Collection) =>
  account.caller.post(`/v1/payin_methods/${created.payin.id}/retry`, undefined);
const read = async ({ account, created }: Collection) =>
  payinIn(await account.caller.get(`/v1/payin_methods/${created.payin.id}`));
const flowsOf = ({ created }: Collection) => payer.promptsOf(created.payin.id).map(({ order }) => order.uxFlow);

describe('the flow of a payin method in error', () => {
  it('is that of the operator to which it is edited, and so is its next prompt', async () => {
    const one = await collection([REFUSED, WAITS]);
    expect((await read(one))['ux_flow']).toBe('ussd_voucher');
    expect(payinIn(await patch(one, { in_details: FREE }))['ux_flow']).toBe('ussd_popup');
    await app.engine.run();
    expect(flowsOf(one)).toEqual(['ussd_voucher', 'ussd_popup']);
  });

  it('takes what it shows with it', async () => {
    const one = await collection([REFUSED, WAITS], { ...GHANA, inDetails: inGhana('mtn') });
    expect((await read(one)).out_details).toMatchObject({ dialing_number: '*170#' });
    const other = payinIn(await patch(one, { in_details: inGhana('vodafone') }));
    expect([other['ux_flow'], other.out_details]).toEqual(['ussd_popup', {}]);
    await app.engine.run();
    expect((await read(one)).out_details).not.toHaveProperty('dialing_number');
  });

  it('stays where the caller has chosen it', async () => {
    const one = await collection([REFUSED, WAITS], { flow: 'ussd_voucher', inDetails: FREE });
    const edited = payinIn(await patch(one, { in_details: { phone_number: '+221761234710' } }));
    expect(edited['ux_flow']).toBe('ussd_voucher');
    await app.engine.run();
    expect(flowsOf(one)).toEqual(['ussd_voucher', 'ussd_voucher']);
  });

  it('is chosen with an edit, and stays so', async () => {
    const one = await collection([REFUSED]);
    const chosen = payinIn(await patch(one, { ux_flow: 'ussd_voucher', in_details: FREE }));
    expect([chosen['ux_flow'], chosen.in_details]).toEqual(['ussd_voucher', FREE]);
    await app.engine.run();
    expect((await retry(one)).status).toBe(200);
    await app.engine.run();
    expect(flowsOf(one)).toEqual(['ussd_voucher', 'ussd_voucher', 'ussd_voucher']);
  });

  it('is none that the type does not have', async () => {
    const one = await collection([REFUSED]);
    expect(wordsIn(await patch(one, { ux_flow: 'blockchain' }))).toEqual(['ux_flow: not_in_list']);
    expect((await read(one)).state).toBe('error');
  });
});

describe('the flow of an open prompt', () => {
  it('stays as the payer sees it, and follows the details with the next prompt by itself', async () => {
    const one = await collection([WAITS]);
    const edited = payinIn(await patch(one, { in_details: FREE }));
    expect([edited['ux_flow'], edited.in_details]).toEqual(['ussd_voucher', FREE]);
    payer.later(one.prompt().order.reference, { does: 'fail', code: '3' });
    await one.callback();
    await app.engine.travel(10 * MINUTE_MS);
    expect(flowsOf(one)).toEqual(['ussd_voucher', 'ussd_popup']);
    expect((await read(one))['ux_flow']).toBe('ussd_popup');
  });

  it('follows the details with the next prompt that the caller asks for', async () => {
    const one = await collection([WAITS]);
    await patch(one, { in_details: FREE });
    payer.later(one.prompt().order.reference, REFUSED);
    await one.callback();
    expect(payinIn(await retry(one))['ux_flow']).toBe('ussd_popup');
    await app.engine.run();
    expect(flowsOf(one)).toEqual(['ussd_voucher', 'ussd_popup']);
  });

  it('is not edited; the same one may be sent along', async () => {
    const one = await collection([WAITS]);
    expect(wordsIn(await patch(one, { ux_flow: 'ussd_popup' }))).toEqual(['ux_flow: not_editable']);
    const same = await patch(one, { ux_flow: 'ussd_voucher', in_details: XOF_PAYER });
    expect(payinIn(same).state).toBe('pending');
  });
});

it('the code of a voucher goes with the prompt; one that is no text is refused', async () => {
  const one = await collection([WAITS], { inDetails: { ...XOF_PAYER, otp: '123456' } });
  expect(wordsIn(await patch(one, { in_details: { otp: 123456 } }))).toEqual(['in_details.otp: invalid']);
  expect([one.prompt().order.uxFlow, one.prompt().order.otp]).toEqual(['ussd_voucher', '123456']);
});

it('before the first prompt the flow follows an edit as well', async () => {
  const account = await app.newAccount();
  const created = await collect(account);
  const edited = payinIn(await account.caller.patch(`/v1/payin_methods/${created.payin.id}`, { in_details: FREE }));
  expect([edited['ux_flow'], edited.state]).toEqual(['ussd_popup', 'initial']);
});
