/**
 * Making, replacing, revoking and resealing API keys. A secret is shown to the operator who made it, once. Spec:
 * Authentication (1).
 */
import { auditText } from '../accounts/audit.ts';
import { addKey } from '../accounts/create.ts';
import { type ApiKey, findKey, type KeyAndSecret, nameSuccessor, revokeKey } from '../accounts/keys.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { type Resealed, resealSecrets } from '../accounts/reseal.ts';
import { present } from '../kernel/assert.ts';
import { ownSecret } from './accounts.ts';
import type { Command, OperatorContext } from './command.ts';
import { keyView } from './views.ts';

interface NewKeyInput {
  readonly accountId: string;
  readonly label: string;
  /** Made before the command, so that a second run of it knows its own. */
  readonly credentials: KeyAndSecret;
}

interface KeyWithSecret {
  readonly key: ApiKey;
  /** Null when an earlier run of the command made the key: its secret was shown then. */
  readonly secret: string | null;
}

/** Refuses with account_not_found, too_many_keys, key_invalid, key_taken. */
export function createKey(ctx: OperatorContext, command: Command, input: NewKeyInput): Promise<Outcome<KeyWithSecret>> {
  return ctx.commands.run<KeyWithSecret>(command, {
    name: 'key.create',
    intent: { account_id: input.accountId, label: input.label },
    change: async (tx) => {
      const added = await addKey(tx, ctx.seal, { ...input, at: ctx.clock.now() });
      if (!added.ok) return added;
      const key = added.value;
      const answer = { key, secret: input.credentials.secret };
      return done({ answer, subject: key.key, before: null, after: keyView(key) });
    },
    recall: async (tx, row) => {
      const key = present(await findKey(tx, row.subject), 'the key that was made');
      return { key, secret: await ownSecret(ctx, tx, key.key, input.credentials) };
    },
  });
}

/** Refuses with key_not_found, already_revoked. */
export function revokeApiKey(ctx: OperatorContext, command: Command, keyText: string): Promise<Outcome<ApiKey>> {
  return ctx.commands.run(command, {
    name: 'key.revoke',
    subject: keyText,
    intent: {},
    change: async (tx) => {
      const key = await findKey(tx, keyText);
      if (!key) return refusedAction('key_not_found', `no API key has the text ${keyText}`);
      const revokedAt = ctx.clock.now();
      if (!(await revokeKey(tx, keyText, revokedAt))) return refusedAction('already_revoked');
      const revoked = { ...key, revokedAt };
      return done({ answer: revoked, subject: keyText, before: keyView(key), after: keyView(revoked) });
    },
    recall: async (tx) => present(await findKey(tx, keyText), 'the key that was revoked'),
  });
}

interface ReplaceKeyInput {
  readonly key: string;
  /** How long both keys work. */
  readonly overlapMs: number;
  /** Made before the command, so that a second run of it knows its own. */
  readonly credentials: KeyAndSecret;
}

interface ReplacedKey extends KeyWithSecret {
  readonly replaced: ApiKey;
}

/**
 * Makes a key that takes the place of another. The old one works until the overlap is over, and signs the webhooks that
 * it registered until then. Refuses with key_not_found, already_revoked, already_replaced, too_many_keys. Open point
 * OP-122.
 */
export function replaceApiKey(
  ctx: OperatorContext,
  command: Command,
  { key: keyText, overlapMs, credentials }: ReplaceKeyInput,
): Promise<Outcome<ReplacedKey>> {
  return ctx.commands.run<ReplacedKey>(command, {
    name: 'key.replace',
    subject: keyText,
    intent: { overlap_ms: overlapMs },
    change: async (tx) => {
      const at = ctx.clock.now();
      const old = await findKey(tx, keyText);
      if (!old) return refusedAction('key_not_found', `no API key has the text ${keyText}`);
      if (old.revokedAt !== null) return refusedAction('already_revoked');
      const { accountId, label } = old;
      const added = await addKey(tx, ctx.seal, { accountId, label, credentials, at });
      if (!added.ok) return added;
      const validUntil = new Date(at.getTime() + overlapMs);
      const successor = credentials.key;
      if (!(await nameSuccessor(tx, { key: keyText, successor, validUntil }))) return refusedAction('already_replaced');
      const replaced = { ...old, validUntil, successor };
      const answer = { key: added.value, secret: credentials.secret, replaced };
      const after = { ...keyView(replaced), overlap_ms: overlapMs };
      return done({ answer, subject: keyText, before: keyView(old), after });
    },
    recall: async (tx, row) => {
      const key = present(await findKey(tx, auditText(row.after, 'successor')), 'the key that was made');
      const replaced = present(await findKey(tx, keyText), 'the key that was replaced');
      return { key, replaced, secret: await ownSecret(ctx, tx, key.key, credentials) };
    },
  });
}

/**
 * After a new master key: what was stored under the one before is stored under it. Repeating it does no harm. Refuses
 * with nothing_to_reseal: a process that knows only one key may have the old one.
 */
export async function resealKeys(ctx: OperatorContext, command: Command): Promise<Outcome<Resealed>> {
  if (ctx.settings.masterKeyPrevious === null) return refusedAction('nothing_to_reseal');
  return ctx.commands.run<Resealed>(command, {
    name: 'key.reseal',
    subject: 'master_key',
    intent: {},
    change: async (tx) => {
      const answer = await resealSecrets(tx, ctx.seal);
      const after = { count: String(answer.count), unopened: answer.unopened.join(' ') };
      return done({ answer, subject: 'master_key', before: null, after });
    },
    recall: async (_tx, row) => ({
      count: Number(auditText(row.after, 'count')),
      unopened: auditText(row.after, 'unopened').split(' ').filter(Boolean),
    }),
  });
}
