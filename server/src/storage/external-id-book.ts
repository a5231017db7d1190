/**
 * Which object bears an external id, as a batch sees it: those that are taken, and those that the batch has reserved
 * for the first command that gets it right. What nobody took is given back at the end.
 */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { type ExternalId, releaseExternalIds, reserveExternalIds } from './external-ids.ts';

export class ExternalIdBook {
  readonly #reserved = new ByExternalId<ExternalId>();
  readonly #owners = new ByExternalId<string>();

  constructor(reserved: readonly ExternalId[]) {
    for (const row of reserved) this.#reserved.set(row.accountId, row.externalId, row);
  }

  isReserved(accountId: string, externalId: string): boolean {
    return this.#reserved.get(accountId, externalId) !== undefined;
  }

  /** A stored owner. */
  note(accountId: string, externalId: string, objectId: string): void {
    this.#owners.set(accountId, externalId, objectId);
  }

  ownerOf(accountId: string, externalId: string): string | undefined {
    return this.#owners.get(accountId, externalId);
  }

  /** A new object takes its external id. */
  take(accountId: string, externalId: string, objectId: string): void {
    assert(this.isReserved(accountId, externalId), 'a new external id was reserved');
    assert(this.ownerOf(accountId, externalId) === undefined, 'a new external id was free');
    this.note(accountId, externalId, objectId);
  }

  /**
   * The reservation bears the id of the first command that wanted it. When that one was refused and a later one of the
   * batch took it, it is made out anew; nobody can come in between, since the row is ours until the commit.
   */
  async settle(tx: Tx): Promise<void> {
    const settled = [...this.#reserved.values()].map((row) => ({
      row,
      owner: this.ownerOf(row.accountId, row.externalId),
    }));
    const stale = settled.filter(({ row, owner }) => owner !== row.objectId);
    await releaseExternalIds(
      tx,
      stale.map(({ row }) => row),
    );
    const moved = stale.flatMap(({ row, owner }) => (owner === undefined ? [] : [{ ...row, objectId: owner }]));
    const again = await reserveExternalIds(tx, moved);
    assert(again.length === moved.length, 'an external id that was ours stayed ours');
  }
}

/** In two steps: a key made of both would have to be put together, and gone through, for every look. */
class ByExternalId<Value> {
  readonly #ofAccount = new Map<string, Map<string, Value>>();

  get(accountId: string, externalId: string): Value | undefined {
    return this.#ofAccount.get(accountId)?.get(externalId);
  }

  set(accountId: string, externalId: string, value: Value): void {
    const ofAccount = this.#ofAccount.get(accountId) ?? new Map<string, Value>();
    this.#ofAccount.set(accountId, ofAccount.set(externalId, value));
  }

  *values(): Generator<Value> {
    for (const ofAccount of this.#ofAccount.values()) yield* ofAccount.values();
  }
}
