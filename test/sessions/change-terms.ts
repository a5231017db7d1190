/**
 * An operator puts the senders of an account under review and lets its balances go below zero, which locks all of them.
 * The change is taken back then: nobody here would go on to check the senders.
 */
import { setAccount } from '../../server/src/operator/accounts.ts';
import type { Commands } from '../../server/src/operator/command.ts';
import type { TestContext } from '../support/app.ts';

class TakenBack extends Error {}

export async function changeTermsForAMoment(ctx: TestContext, accountId: string): Promise<void> {
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
  const change = { kyc: 'review', negativeBalance: true } as const;
  await setAccount(operator, command, { accountId, change }).catch((fault: unknown) => {
    if (!(fault instanceof TakenBack)) throw fault;
  });
}
