/**
 * Addresses of senders' documents on the operator listener. Whoever has one can open the file until it expires, in a
 * browser for example, which sends no token. They are given to operators alone. Open point OP-184.
 */
import type { Seal } from '../accounts/seal.ts';
import { type PathVerdict, signedPaths } from '../accounts/signed-paths.ts';
import type { DocumentKey } from '../documents/document.ts';

/** `keyFor` of the seal, by this name. */
const PURPOSE = 'addresses of documents';

export interface DocumentAddresses {
  make(key: DocumentKey, expiresAt: Date): string;
  judge(key: DocumentKey, query: { readonly expires?: unknown; readonly signature?: unknown }, now: Date): PathVerdict;
}

export function documentAddresses(seal: Pick<Seal, 'keyFor'>): DocumentAddresses {
  const paths = signedPaths(seal, PURPOSE);
  return {
    make: (key, expiresAt) => paths.make(pathOf(key), expiresAt),
    judge: (key, query, now) => paths.judge(pathOf(key), query, now),
  };
}

function pathOf({ accountId, documentId }: DocumentKey): string {
  return `/operator/files/${accountId}/${documentId}`;
}
