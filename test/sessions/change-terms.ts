/**
 * An operator lets the balances of an account go below zero, which locks all of them behind the account, or puts its
 * senders under review as well, who are locked before it. The change is taken back then: nobody here would go on to
 * check the senders.
 */

import type { AccountTerms } from '../../server/src/accounts/account.ts';
import { setAccount } from '../../server/src/operator/accounts.ts';
import type { Commands } from '../../server/src/operator/command.ts';
import type { TestContext } from '../support/app.ts';

class TakenBack extends Error {}

export const OVERDRAFT = { negativeBalance: true } as const;
export const OVERDRAFT_AND_REVIEW = { ...OVERDRAFT, kyc: 'review' } as const;

export async function changeTermsForAMoment(
  ctx: TestContext,
  accountId: string,
  change: Partial<AccountTerms>,
): Promise<void> {
  const screening = { ...ctx.settings.screening, lists: ['un-xml:of the test itself'] };
  const run: Commands['run'] = (_, action) =>
    ctx.db.inTx(async (tx) => {
      const changed = await action.change(tx);
      throw changed.ok ? new TakenBack() : new Error(changed.refusal.code);
    });
  const operator = {
    ...ctx,
    settings: { ...ctx.settings, screening },
    commands: { run, close: async () => undefined },
  };
  const command = { commandId: ctx.ids.next(), operator: 'ada' };
  await setAccount(operator, command, { accountId, change }).catch((fault: unknown) => {
    if (!(fault instanceof TakenBack)) throw fault;
  });
}
