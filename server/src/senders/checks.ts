/**
 * Senders that are checked or decided on: claimed, locked and written here, decided on in reviews. A claim is locked
 * until the end of the database transaction that writes what came of it, so a process that dies leaves nothing behind.
 */
import type { Account } from '../accounts/account.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import { insertEvents } from '../webhooks/outbox.ts';
import {
  type ClearedHit,
  findDueSenderAccount,
  findOutdatedAccounts,
  findSenderOwner,
  lockDueSenders,
  lockOutdatedSenders,
  makeSendersDue,
  putOffDueSenders,
  putOffSender,
  readClearedHits,
  type Screened,
  updateClearedHits,
  updateScreened,
} from './check-store.ts';
import { type SenderEvent, senderEvent } from './events.ts';
import type { Sender, SenderKey } from './sender.ts';
import { lockSendersForUpdate, readSenders, updateSenders } from './store.ts';
import { isScreened, senderPolicy } from './when-checked.ts';

export type { ClearedHit } from './check-store.ts';

export interface SenderUnderCheck {
  readonly sender: Sender;
  readonly cleared: readonly ClearedHit[];
}

/** Undefined: nothing is due. Null: all accounts at once. */
export async function accountToCheck(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  now: Date,
): Promise<string | null | undefined> {
  return settings.database.oneTenantBatches ? findDueSenderAccount(db, now) : null;
}

/** How many, and who is told of them before anything is read of them. */
export interface ClaimShape {
  readonly limit: number;
  readonly onLocked: (keys: readonly SenderKey[]) => void;
}

export async function claimDueSenders(
  tx: Tx,
  claim: ClaimShape & { readonly now: Date; readonly accountId: string | null },
): Promise<SenderUnderCheck[]> {
  return underCheck(tx, await lockDueSenders(tx, claim), claim);
}

/** Those whose check broke wait: this one, or all that are due of its account. */
export async function putOffChecks(
  tx: Tx,
  key: SenderKey,
  times: { readonly now: Date; readonly until: Date; readonly ofAccount: boolean },
): Promise<void> {
  await putOffSender(tx, key, times);
  if (times.ofAccount) await putOffDueSenders(tx, key, times);
}

export function accountsToRescreen(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { version, limit }: { readonly version: string; readonly limit: number },
): Promise<string[]> {
  return findOutdatedAccounts(db, { version, withWaived: settings.senders.screenWaived, limit });
}

/**
 * When the terms of an account change: where its senders are screened from now on, all of them become due, in the same
 * commit. Gives how many. It locks senders, so it comes before the account and balances are. Open point OP-178.
 */
export async function followTerms(
  { settings }: Pick<Context, 'settings'>,
  tx: Tx,
  { before, after }: { readonly before: Account; readonly after: Account },
): Promise<number> {
  const policy = senderPolicy(settings);
  const begins = policy.hasLists && !isScreened(before.kyc, policy) && isScreened(after.kyc, policy);
  return begins ? makeSendersDue(tx, after.accountId, after.updatedAt) : 0;
}

export async function claimOutdatedSenders(
  tx: Tx,
  claim: ClaimShape & { readonly accountId: string; readonly version: string },
): Promise<SenderUnderCheck[]> {
  return underCheck(tx, await lockOutdatedSenders(tx, claim), claim);
}

async function underCheck(
  tx: Tx,
  keys: readonly SenderKey[],
  { onLocked }: Pick<ClaimShape, 'onLocked'>,
): Promise<SenderUnderCheck[]> {
  onLocked(keys);
  if (keys.length === 0) return [];
  const [senders, cleared] = [await readSenders(tx, keys), await readClearedHits(tx, keys)];
  return senders.map((sender) => ({ sender, cleared: cleared.get(sender.senderId) ?? [] }));
}

/** Whose sender it is, by its id alone; without a lock. */
export async function findAnySender(tx: Tx, senderId: string): Promise<Sender | undefined> {
  const owner = await findSenderOwner(tx, senderId);
  return owner && (await readSenders(tx, [owner]))[0];
}

/** The same, locked for a decision about it. */
export async function lockAnySender(tx: Tx, senderId: string): Promise<SenderUnderCheck | undefined> {
  const owner = await findSenderOwner(tx, senderId);
  if (owner === undefined) return undefined;
  const [sender] = await lockSendersForUpdate(tx, [owner]);
  const cleared = await readClearedHits(tx, [owner]);
  return sender && { sender, cleared: cleared.get(senderId) ?? [] };
}

/** By sender id. */
export async function findSendersByKey(tx: Tx, keys: readonly SenderKey[]): Promise<Map<string, Sender>> {
  return new Map((await readSenders(tx, keys)).map((sender) => [sender.senderId, sender]));
}

export interface SenderOutcome {
  readonly before: Sender;
  readonly after: Sender;
  readonly event: SenderEvent | undefined;
  /** Given where lists were asked. */
  readonly screened: Pick<Screened, 'version' | 'at'> | undefined;
  /** Given where they change. */
  readonly cleared: readonly ClearedHit[] | undefined;
}

/** Counts the event on the sender, so that it is shown as a read after the commit shows it. */
export function withEvent(sender: Sender, event: SenderEvent | undefined): Sender {
  return event === undefined ? sender : { ...sender, eventCount: sender.eventCount + 1 };
}

export async function writeOutcomes(
  ctx: Pick<Context, 'ids'>,
  tx: Tx,
  outcomes: readonly SenderOutcome[],
  at: Date,
): Promise<void> {
  await updateSenders(
    tx,
    outcomes.filter(({ before, after }) => before !== after),
  );
  await updateScreened(
    tx,
    outcomes.flatMap(({ after: { accountId, senderId }, screened }) =>
      screened ? [{ accountId, senderId, ...screened }] : [],
    ),
  );
  await updateClearedHits(
    tx,
    outcomes.flatMap(({ after: { accountId, senderId }, cleared }) =>
      cleared ? [{ accountId, senderId, hits: cleared }] : [],
    ),
  );
  await insertEvents(
    tx,
    outcomes.flatMap(({ after, event }) => (event ? [senderEvent(ctx, event, after, at)] : [])),
  );
}
