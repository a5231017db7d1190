/** The first account of a sandbox and its credentials, over starts with and without presets. */
import { describe, expect, it } from 'vitest';
import { openSecret } from '../../server/src/accounts/keys.ts';
import type { OperatorContext } from '../../server/src/operator/command.ts';
import { createSandboxAccount } from '../../server/src/operator/sandbox-account.ts';
import { freshDatabase } from '../support/database.ts';
import { contextOn } from './support.ts';

const preset = (sandboxApiKey: string, sandboxApiSecret: string) => ({ flags: { sandboxApiKey, sandboxApiSecret } });
const secretOf = (ctx: OperatorContext, key: string) => ctx.db.inTx((tx) => openSecret(tx, ctx.seal, key));

describe('without presets', async () => {
  const { db } = await freshDatabase();
  const { ctx } = contextOn(db);

  it('two processes that start at once make one account, and later starts find the same credentials', async () => {
    // Each with commands of its own, as two processes have them; the master key is the same.
    const others = [1, 2, 3].map(() => ({ ...contextOn(db).ctx, seal: ctx.seal }));
    const [one, ...more] = await Promise.all([ctx, ...others].map((each) => createSandboxAccount(each)));
    for (const each of more) expect(each).toEqual(one);
    expect(await createSandboxAccount(ctx)).toEqual(one);
    expect(await db.query('select name, full_kyc, kyc from accounts')).toEqual([
      { name: 'Sandbox', full_kyc: true, kyc: 'waived' },
    ]);
    const balances = await db.query<{ amount: bigint }>(
      `select amount from ledger_balances where ledger_account = 'balance' and currency = 'USD'`,
    );
    expect(balances).toEqual([{ amount: 100_000_000n }]);
  });

  it('a key that was replaced is not shown any more', async () => {
    const before = await createSandboxAccount(ctx);
    await db.execute('update api_keys set valid_until = $1', [ctx.clock.now()]);
    const after = await createSandboxAccount(ctx);
    expect([after.accountId, after.key === before.key]).toEqual([before.accountId, false]);
    expect(await createSandboxAccount(ctx)).toEqual(after);
  });

  it('a new key is made when all were revoked', async () => {
    const before = await createSandboxAccount(ctx);
    await db.execute('update api_keys set revoked_at = $1', [ctx.clock.now()]);
    const after = await createSandboxAccount(ctx);
    expect(after.accountId).toBe(before.accountId);
    expect(after.key).not.toBe(before.key);
    expect(await secretOf(ctx, after.key)).toBe(after.secret);
  });
});

describe('with presets', async () => {
  const { db } = await freshDatabase();

  it('the account has the preset credentials, and follows them when they change', async () => {
    const first = contextOn(db, preset('ci-key', 'ci-secret'));
    const account = await createSandboxAccount(first.ctx);
    expect(account).toMatchObject({ key: 'ci-key', secret: 'ci-secret' });
    expect(await createSandboxAccount(first.ctx)).toEqual(account);

    // The same master key, as a restart on the same directory has it.
    const { seal } = first.ctx;
    const restarted = { ...contextOn(db, preset('ci-key', 'other-secret')).ctx, seal };
    expect(await secretOf(restarted, 'ci-key')).toBe('ci-secret');
    expect((await createSandboxAccount(restarted)).accountId).toBe(account.accountId);
    expect(await secretOf(restarted, 'ci-key')).toBe('other-secret');

    const third = { ...contextOn(db, preset('more-key', 'more-secret')).ctx, seal };
    expect((await createSandboxAccount(third)).accountId).toBe(account.accountId);
    expect(await secretOf(third, 'more-key')).toBe('more-secret');
    const log = JSON.stringify(await db.query('select action, before, after from audit_log'));
    expect(log).toContain('key.replace_secret');
    expect(log).not.toContain('-secret"');
  });

  it('a key that was revoked is refused with a message that says so', async () => {
    await db.execute(
      `insert into api_keys (key, account_id, secret, label, created_at, revoked_at)
       select 'gone', account_id, '', '', created_at, created_at from accounts on conflict do nothing`,
    );
    const { ctx } = contextOn(db, preset('gone', 'some-secret'));
    await expect(createSandboxAccount(ctx)).rejects.toThrow('revoked');
  });

  it('a key that was replaced is refused once its overlap is over, and good until then', async () => {
    const { ctx } = contextOn(db, preset('old-key', 'old-secret'));
    await createSandboxAccount(ctx);
    const validUntil = (at: number) =>
      db.execute(`update api_keys set successor = 'new-key', valid_until = $1 where key = 'old-key'`, [new Date(at)]);
    await validUntil(ctx.clock.now().getTime() + 60_000);
    expect(await createSandboxAccount(ctx)).toMatchObject({ key: 'old-key', secret: 'old-secret' });
    await validUntil(ctx.clock.now().getTime());
    await expect(createSandboxAccount(ctx)).rejects.toThrow('old-key was replaced by new-key, and its overlap is over');
  });
});

it('an opening balance of zero posts nothing', async () => {
  const { db } = await freshDatabase();
  const { ctx } = contextOn(db, { flags: { sandboxOpeningBalance: '0' } });
  await createSandboxAccount(ctx);
  expect(await db.query('select 1 from ledger_transfers')).toEqual([]);
});
