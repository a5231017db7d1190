/** Strangers at the operator listener, with tokens that nobody has: they take no connections away from payments. */
import { expect, it } from 'vitest';
import type { Database } from '../../server/src/kernel/database.ts';
import { startOperatorService } from './support.ts';

const STRANGERS = 100;

let underWay = 0;
let most = 0;

async function counted<T>(work: Promise<T>): Promise<T> {
  underWay += 1;
  most = Math.max(most, underWay);
  try {
    return await work;
  } finally {
    underWay -= 1;
  }
}

/** Counts who has a connection, or waits for one. */
const counting = (db: Database): Database => ({
  ...db,
  query: (text, values) => counted(db.query(text, values)),
  inTx: (work) => counted(db.inTx(work)),
});

it('many wrong tokens at once are looked up over one connection, and each is refused', async () => {
  const { call } = await startOperatorService({ overDatabase: counting });
  most = 0;
  const asked = Array.from({ length: STRANGERS }, (_, place) =>
    call('GET', '/operator/accounts', undefined, { token: `pfo_${place}` }),
  );
  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: STRANGERS }, () => 401));
  expect(most).toBe(1);
});

it('a good token among them opens', async () => {
  const { call } = await startOperatorService();
  const tokens = ['pfo_1', undefined, 'pfo_2', 'x'.repeat(300), undefined];
  const answers = await Promise.all(
    tokens.map((token) => call('GET', '/operator/accounts', undefined, token === undefined ? {} : { token })),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 401, 401, 200]);
});
