/** What every file store has to do; the built-in one is put through it here. */
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import type { FileKey, FileStore } from './files.ts';
import { pgFileStore } from './pg-files.ts';

const { db } = await freshDatabase();
const ids = timeOrderedIds();
const AT = new Date('2026-01-01T00:00:00.000Z');

function describeFileStore(name: string, store: FileStore): void {
  const newKey = (): FileKey => ({ accountId: ids.next(), fileId: ids.next() });
  const put = (key: FileKey, content: Uint8Array) =>
    db.inTx((tx) => store.put(tx, [{ ...key, content, storedAt: AT }]));

  describe(name, () => {
    it('gives back the bytes that were put', async () => {
      const key = newKey();
      const content = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
      await put(key, content);
      const stored = await store.get(db, key);
      expect(stored && Buffer.compare(stored, content)).toBe(0);
    });

    it('knows nothing of an id that was never put', async () => {
      expect(await store.get(db, newKey())).toBeUndefined();
    });

    it('gives a file to its own account only', async () => {
      const key = newKey();
      await put(key, Buffer.from('a'));
      expect(await store.get(db, { ...key, accountId: ids.next() })).toBeUndefined();
    });

    it('takes an id once', async () => {
      const key = newKey();
      await put(key, Buffer.from('a'));
      await expect(put(key, Buffer.from('b'))).rejects.toThrow();
      expect(await store.get(db, key)).toEqual(Buffer.from('a'));
    });

    it('keeps nothing of a commit that did not happen', async () => {
      const key = newKey();
      const broken = db.inTx(async (tx) => {
        await store.put(tx, [{ ...key, content: Buffer.from('a'), storedAt: AT }]);
        throw new Error('stop');
      });
      await expect(broken).rejects.toThrow('stop');
      expect(await store.get(db, key)).toBeUndefined();
    });

    it('deletes what is there and does not mind what is not', async () => {
      const [gone, kept] = [newKey(), newKey()];
      await put(gone, Buffer.from('a'));
      await put(kept, Buffer.from('b'));
      await db.inTx((tx) => store.delete(tx, [gone, newKey()]));
      expect(await store.get(db, gone)).toBeUndefined();
      expect(await store.get(db, kept)).toEqual(Buffer.from('b'));
    });
  });
}

describeFileStore('the built-in file store', pgFileStore);
