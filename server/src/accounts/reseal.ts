/** Storing the secrets of all API keys anew, under the master key of now. */
import type { Tx } from '../kernel/database.ts';
import { type Seal, SealBroken } from './seal.ts';

export interface Resealed {
  readonly count: number;
  /** Keys whose secret opens under no master key at hand; they stay as they are. */
  readonly unopened: readonly string[];
}

export async function resealSecrets(tx: Tx, seal: Seal): Promise<Resealed> {
  const rows = await tx.query<{ key: string; secret: Uint8Array }>(
    'select key, secret from api_keys order by key for update',
  );
  const sealed: { readonly key: string; readonly secret: Buffer }[] = [];
  const unopened: string[] = [];
  for (const { key, secret } of rows) {
    try {
      sealed.push({ key, secret: seal.seal(key, seal.open(key, secret)) });
    } catch (fault) {
      if (!(fault instanceof SealBroken)) throw fault;
      unopened.push(key);
    }
  }
  await tx.execute(
    `update api_keys as k set secret = u.secret
     from unnest($1::text[], $2::bytea[]) as u (key, secret)
     where k.key = u.key`,
    [sealed.map(({ key }) => key), sealed.map(({ secret }) => secret)],
  );
  return { count: sealed.length, unopened };
}
