/**
 * The first account of a sandbox: made at its first start, able to transact at once. Its credentials are the preset
 * ones where the settings have them, so that a test run need not read them from anywhere. Spec: Authentication (1).
 */
import { accountPage } from '../accounts/find.ts';
import {
  type ApiKey,
  type KeyAndSecret,
  listKeys,
  makeCredentials,
  openSecret,
  replaceSecret,
} from '../accounts/keys.ts';
import { done, type Outcome } from '../accounts/operator-refusals.ts';
import { SYSTEM_OPERATOR } from '../accounts/operators.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { createAccount } from './accounts.ts';
import type { Change, OperatorContext } from './command.ts';
import { createKey } from './keys.ts';
import { keyView } from './views.ts';

export interface SandboxAccount extends KeyAndSecret {
  readonly accountId: string;
}

/** A fixed id, so that two processes that start at once on one new database make one account. */
const FIRST_ACCOUNT_COMMAND = '00000000-0000-7000-8000-000000000001';
const SANDBOX_NAME = 'Sandbox';
const PRESET_LABEL = 'preset in the settings';

/** The settings ask for something that cannot be had; the message says what to change. */
class SandboxAccountFault extends Error {
  override readonly name = 'SandboxAccountFault';
}

/** Sees to it that there is a first account and that its credentials work, and gives them. */
export async function createSandboxAccount(ctx: OperatorContext): Promise<SandboxAccount> {
  const { apiKey, apiSecret } = ctx.settings.sandbox;
  const preset = apiKey !== null && apiSecret !== null ? { key: apiKey, secret: apiSecret } : undefined;
  const accountId = (await firstAccount(ctx)) ?? (await makeFirstAccount(ctx, preset));
  const credentials = preset ? await usePreset(ctx, accountId, preset) : await useStored(ctx, accountId);
  return { accountId, ...credentials };
}

async function firstAccount(ctx: OperatorContext): Promise<string | undefined> {
  const { accounts } = await ctx.db.inTx((tx) => accountPage(tx, { after: null, limit: 1 }));
  return accounts[0]?.accountId;
}

async function makeFirstAccount(ctx: OperatorContext, preset: KeyAndSecret | undefined): Promise<string> {
  const command = { commandId: FIRST_ACCOUNT_COMMAND, operator: SYSTEM_OPERATOR };
  const credentials = preset ?? makeCredentials();
  const created = await createAccount(ctx, command, { terms: { name: SANDBOX_NAME }, credentials });
  return resultOf(created).account.accountId;
}

/** A preset key is added to the first account, and its secret follows the settings. */
async function usePreset(ctx: OperatorContext, accountId: string, preset: KeyAndSecret): Promise<KeyAndSecret> {
  const keys = await ctx.db.inTx((tx) => listKeys(tx, accountId));
  const known = keys.find((each) => each.key === preset.key);
  if (known?.revokedAt) {
    throw new SandboxAccountFault(`the API key ${preset.key} was revoked; preset another one`);
  }
  // For its overlap it works as before.
  if (known?.validUntil && known.validUntil <= ctx.clock.now()) {
    throw new SandboxAccountFault(
      `the API key ${preset.key} was replaced by ${known.successor}, and its overlap is over; preset another one`,
    );
  }
  if (known) {
    await followPreset(ctx, known, preset);
  } else {
    const command = { commandId: ctx.ids.next(), operator: SYSTEM_OPERATOR };
    resultOf(await createKey(ctx, command, { accountId, label: PRESET_LABEL, credentials: preset }));
  }
  return preset;
}

async function followPreset(ctx: OperatorContext, key: ApiKey, preset: KeyAndSecret): Promise<void> {
  const stored = await ctx.db.inTx((tx) => openSecret(tx, ctx.seal, key.key));
  if (stored === preset.secret) return;
  const command = { commandId: ctx.ids.next(), operator: SYSTEM_OPERATOR };
  const change = async (tx: Tx): Promise<Outcome<Change<ApiKey>>> => {
    await replaceSecret(tx, ctx.seal, preset);
    return done({ answer: key, subject: key.key, before: keyView(key), after: keyView(key) });
  };
  resultOf(
    await ctx.commands.run(command, {
      name: 'key.replace_secret',
      subject: key.key,
      intent: {},
      change,
      recall: async () => key,
    }),
  );
}

/** The oldest key that is good for as long as nobody revokes it; one more is made where there is none. */
async function useStored(ctx: OperatorContext, accountId: string): Promise<KeyAndSecret> {
  const keys = await ctx.db.inTx((tx) => listKeys(tx, accountId));
  const oldest = keys.findLast((each) => each.revokedAt === null && each.validUntil === null);
  if (!oldest) {
    const credentials = makeCredentials();
    const command = { commandId: ctx.ids.next(), operator: SYSTEM_OPERATOR };
    resultOf(await createKey(ctx, command, { accountId, label: 'made at start', credentials }));
    return credentials;
  }
  const secret = await ctx.db.inTx((tx) => openSecret(tx, ctx.seal, oldest.key));
  return { key: oldest.key, secret: present(secret, 'the secret of a key') };
}

function resultOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new SandboxAccountFault(`the sandbox account cannot be made: ${outcome.refusal.details.join('; ')}`);
}
