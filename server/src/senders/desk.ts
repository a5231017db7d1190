/**
 * A working copy of senders for a batch: those that its requests name, locked, the external ids that they may take,
 * and the documents they bring. Each command sees what the earlier ones of its batch have kept; everything is written
 * together at the end. Used for senders on their own and for those inside of transactions.
 */
import type { FileStore } from '../documents/files.ts';
import { openShelf, type Shelf, writeShelf } from '../documents/shelf.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { distinctBy } from '../kernel/distinct.ts';
import type { Ids } from '../kernel/ids.ts';
import { isObject } from '../kernel/storable.ts';
import { ExternalIdBook } from '../storage/external-id-book.ts';
import { type ExternalId, findExternalIds, reserveExternalIds } from '../storage/external-ids.ts';
import type { SenderTerms } from './check.ts';
import { documentIdsIn } from './check-documents.ts';
import type { SenderDecision, SenderFacts, SenderWish } from './decide.ts';
import { referTo } from './reference.ts';
import { MAX_SENDER_DOCUMENTS, type Sender, type SenderKey } from './sender.ts';
import { insertSenders, lockSendersForShare, lockSendersForUpdate, updateSenders } from './store.ts';
import type { SenderPolicy } from './when-checked.ts';

/** Makes the ids that the request may need, so that a command that is run again brings the same. */
export function makeWish(ids: Ids, request: Omit<SenderWish, 'senderId' | 'documentIds'>): SenderWish {
  const { accountId, at, placed, input } = request;
  const documents = isObject(input) ? input['documents'] : undefined;
  const kept = Array.isArray(documents) ? documents.slice(0, MAX_SENDER_DOCUMENTS) : [];
  return { accountId, at, placed, input, senderId: ids.next(), documentIds: kept.map(() => ids.next()) };
}

export class SenderDesk implements SenderFacts {
  readonly shelf: Shelf;
  readonly externalIds: ExternalIdBook;
  readonly policy: SenderPolicy;
  readonly #terms: ReadonlyMap<string, SenderTerms>;
  readonly #senders: Map<string, Sender>;
  readonly #changes = new Map<string, { before: Sender | undefined; after: Sender }>();

  constructor(parts: {
    senders: readonly Sender[];
    externalIds: ExternalIdBook;
    shelf: Shelf;
    terms: ReadonlyMap<string, SenderTerms>;
    policy: SenderPolicy;
  }) {
    this.shelf = parts.shelf;
    this.externalIds = parts.externalIds;
    this.policy = parts.policy;
    this.#terms = parts.terms;
    this.#senders = new Map(parts.senders.map((sender) => [keyOf(sender), sender]));
  }

  readonly find = (key: SenderKey): Sender | undefined => this.#senders.get(keyOf(key));

  readonly findByExternalId = (accountId: string, externalId: string): Sender | undefined => {
    const senderId = this.externalIds.ownerOf(accountId, externalId);
    return senderId === undefined ? undefined : this.find({ accountId, senderId });
  };

  readonly terms = (accountId: string): SenderTerms => present(this.#terms.get(accountId), 'terms of the account');

  /** Takes a decision into the working copies. What is not kept leaves no trace. */
  keep(decision: SenderDecision): void {
    if (decision.kind !== 'created' && decision.kind !== 'updated') return;
    const { sender, before, gets, contents } = decision;
    if (sender === before) return;
    const key = keyOf(sender);
    const earlier = this.#changes.get(key);
    this.#changes.set(key, { before: earlier ? earlier.before : before, after: sender });
    this.#senders.set(key, sender);
    const { accountId, externalId, senderId } = sender;
    if (externalId !== null && externalId !== before?.externalId) {
      this.externalIds.take(accountId, externalId, senderId);
    }
    this.shelf.keep(gets, contents);
  }

  created(): Sender[] {
    return [...this.#changes.values()].flatMap(({ before, after }) => (before ? [] : [after]));
  }

  updated(): { before: Sender; after: Sender }[] {
    return [...this.#changes.values()].flatMap(({ before, after }) => (before ? [{ before, after }] : []));
  }
}

export interface DeskOptions {
  /** Of every account in the batch. */
  readonly terms: ReadonlyMap<string, SenderTerms>;
  readonly policy: SenderPolicy;
  /** For a batch that only calculates: nothing is reserved, nothing may be written. */
  readonly isDryRun?: boolean;
}

/** Whom the requests name, and the external ids that senders may take. */
interface NamedSenders {
  readonly externalIds: ExternalIdBook;
  readonly keys: readonly SenderKey[];
  readonly mayUpdate: boolean;
}

/** Reserves, locks and reads what the requests may need: external ids first, then senders, then documents. */
export async function openSenderDesk(tx: Tx, wishes: readonly SenderWish[], options: DeskOptions): Promise<SenderDesk> {
  return lockSenderDesk(tx, wishes, await nameSenders(tx, wishes, options), options);
}

/** The first step: external ids are reserved and looked up, and no sender is locked yet. */
export async function nameSenders(
  tx: Tx,
  wishes: readonly SenderWish[],
  { isDryRun = false }: Pick<DeskOptions, 'isDryRun'>,
): Promise<NamedSenders> {
  const named = wishes.map((wish) => ({ wish, reference: referTo(wish.input, wish.placed) }));
  const wanted = named.flatMap(({ wish: { accountId, senderId }, reference }) => {
    const externalId = 'externalId' in reference ? reference.externalId : undefined;
    if (externalId === undefined || externalId === null) return [];
    const isToTake = reference.effect !== 'use_by_external_id';
    const objectId = 'senderId' in reference ? reference.senderId : senderId;
    return [{ isToTake, row: { accountId, objectType: 'sender' as const, externalId, objectId } }];
  });
  const toTake = isDryRun ? [] : wanted.filter(({ isToTake }) => isToTake).map(({ row }) => row);
  const reserved = await reserveExternalIds(tx, toTake);
  const externalIds = new ExternalIdBook(reserved);
  const isOthers = (row: ExternalId) => !externalIds.isReserved(row.accountId, row.externalId);
  const taken = await findExternalIds(tx, wanted.map(({ row }) => row).filter(isOthers));
  for (const { accountId, externalId, objectId } of taken) externalIds.note(accountId, externalId, objectId);
  const keys = [
    ...named.flatMap(({ wish: { accountId }, reference }) =>
      'senderId' in reference ? [{ accountId, senderId: reference.senderId }] : [],
    ),
    ...taken.map(({ accountId, objectId }) => ({ accountId, senderId: objectId })),
  ];
  const mayUpdate = named.some(
    ({ reference: { effect } }) => effect === 'update_by_id' || effect === 'update_or_create',
  );
  return { externalIds, keys, mayUpdate };
}

/** The second step: its first statement locks the senders. */
export async function lockSenderDesk(
  tx: Tx,
  wishes: readonly SenderWish[],
  { externalIds, keys, mayUpdate }: NamedSenders,
  { terms, policy, isDryRun = false }: DeskOptions,
): Promise<SenderDesk> {
  // One statement for all of them: two would take the locks in two orders.
  const lock = mayUpdate && !isDryRun ? lockSendersForUpdate : lockSendersForShare;
  const [senders, shelf] = await Promise.all([
    lock(tx, distinctBy(keys, keyOf)),
    openShelf(
      tx,
      wishes.flatMap(({ accountId, input }) => documentIdsIn(input).map((documentId) => ({ accountId, documentId }))),
    ),
  ]);
  return new SenderDesk({ senders, externalIds, shelf, terms, policy });
}

/** Writes what was kept, and gives back the external ids that were reserved for nothing. */
export async function writeSenderDesk(tx: Tx, files: FileStore, desk: SenderDesk): Promise<void> {
  await Promise.all([
    desk.externalIds.settle(tx),
    insertSenders(tx, desk.created()),
    updateSenders(tx, desk.updated()),
    writeShelf(tx, files, desk.shelf),
  ]);
}

function keyOf(key: SenderKey): string {
  return `${key.accountId} ${key.senderId}`;
}
