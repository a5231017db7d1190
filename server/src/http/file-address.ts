/**
 * Addresses of proofs of payment, which anybody may open who was given one, until they expire. The path holds ids and
 * nothing else. Pure. Open point OP-155.
 */
import type { Seal } from '../accounts/seal.ts';
import { type PathVerdict, signedPaths } from '../accounts/signed-paths.ts';
import type { FileKey } from '../transactions/find-proofs.ts';

/** `keyFor` of the seal, by this name. */
const PURPOSE = 'addresses of files';

interface FileAddresses {
  /** Path and query of the address under which the file is found until then. */
  make(key: FileKey, expiresAt: Date): string;
  /** What came in an address, as it came. */
  judge(key: FileKey, query: { readonly expires?: unknown; readonly signature?: unknown }, now: Date): PathVerdict;
}

export function fileAddresses(seal: Pick<Seal, 'keyFor'>): FileAddresses {
  const paths = signedPaths(seal, PURPOSE);
  return {
    make: (key, expiresAt) => paths.make(pathOf(key), expiresAt),
    judge: (key, query, now) => paths.judge(pathOf(key), query, now),
  };
}

function pathOf({ accountId, recipientId, fileId, form }: FileKey): string {
  return `/files/${accountId}/${recipientId}/${fileId}/${form}`;
}
