/**
 * Which object bears an external id, as a batch sees it: those that are taken, and those that the batch has reserved for
 * the first command that gets it right. What nobody took is given back at the end.
 */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { type ExternalId, releaseExternalIds, reserveExternalIds } from './external-ids.ts';

export class ExternalIdBook {
  readonly #reserved: Map<string, ExternalId>;
  readonly #owners = new Map<string, string>();

  constructor(reserved: readonly ExternalId[]) {
    this.#reserved = new Map(reserved.map((row) => [keyOf(row.accountId, row.externalId), row]));
  }

  isReserved(accountId: string, externalId: string): boolean {
    return this.#reserved.has(keyOf(accountId, externalId));
  }

  /** A stored owner. */
  note(accountId: string, externalId: string, objectId: string): void {
    this.#owners.set(keyOf(accountId, externalId), objectId);
  }

  ownerOf(accountId: string, externalId: string): string | undefined {
    return this.#owners.get(keyOf(accountId, externalId));
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

function keyOf(accountId: string, externalId: string): string {
  return `${accountId} ${externalId}`;
}
