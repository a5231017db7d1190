/**
 * Lists of all accounts that can be asked for one: nobody is told that nothing waits for an account that does not
 * exist.
 */
import { describe, expect, it } from 'vitest';
import { startPayoutService } from './payout-service.ts';

const { app, call } = await startPayoutService({ providers: [] });
const NOBODY = '00000000-0000-4000-8000-000000000000';

describe.each([
  ['/operator/attention', { items: [] }],
  ['/operator/payins/suspense', { payins: [] }],
  ['/operator/reviews', { items: [] }],
  ['/operator/hold-rules', { rules: [] }],
])('%s', (path, nothing) => {
  it('is empty for an account that has nothing there, however its id is written', async () => {
    const { accountId } = await app.newAccount();
    for (const id of [accountId, accountId.toUpperCase()]) {
      expect(await call('GET', `${path}?account_id=${id}`)).toMatchObject({ status: 200, body: nothing });
    }
  });

  it('knows an account that does not exist from one that has nothing there', async () => {
    expect(await call('GET', `${path}?account_id=${NOBODY}`)).toMatchObject({
      status: 404,
      body: { error: 'account_not_found', details: [`no account has the id ${NOBODY}`] },
    });
  });
});
