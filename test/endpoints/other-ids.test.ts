/**
 * A PATCH whose body names another object than its path: refused, and neither of them is changed. Open point OP-246.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { collect } from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { OBI } from '../support/payout.ts';
import { PERSON } from '../support/senders.ts';
import { create } from '../support/transactions.ts';
import { bodyOf, refusalsIn } from './sender-edge.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const account = await app.newAccount();
const { caller } = account;
const details = { first_name: 'Other' };

interface Kind {
  readonly name: string;
  readonly route: string;
  /** Makes one; its id. */
  readonly make: () => Promise<string>;
  readonly change: object;
  readonly wrap: (object: object) => object;
}

const made = async (route: string, body: object) => String(bodyOf(await caller.post(route, body)).object['id']);
const payoutMethod = {
  route: '/v1/payout_methods',
  make: () => made('/v1/payout_methods', { payout_method: OBI }),
  change: { details },
};
const payinMethod = {
  route: '/v1/payin_methods',
  make: async () => (await collect(account)).payin.id,
  change: { in_details: { phone_number: '+2250700000099' } },
};

const KINDS: readonly Kind[] = [
  {
    name: 'a sender',
    route: '/v1/senders',
    make: () => made('/v1/senders', { sender: PERSON }),
    change: { city: 'Lagos' },
    wrap: (sender) => ({ sender }),
  },
  {
    name: 'a recipient',
    route: '/v1/recipients',
    make: async () => String((await create(caller)).recipients[0]?.id),
    change: { payout_method: { details } },
    wrap: (recipient) => ({ recipient }),
  },
  { name: 'a payout method', ...payoutMethod, wrap: (bare) => bare },
  { name: 'a payout method in a wrapper', ...payoutMethod, wrap: (payout_method) => ({ payout_method }) },
  { name: 'a payin method', ...payinMethod, wrap: (bare) => bare },
  { name: 'a payin method in a wrapper', ...payinMethod, wrap: (payin_method) => ({ payin_method }) },
];

const TABLES = ['senders', 'recipients', 'payout_methods', 'payin_methods'];
const stored = () => Promise.all(TABLES.map((table) => db.query(`select * from ${table}`)));

describe.each(KINDS)('the change of $name', ({ route, make, change, wrap }) => {
  let id: string;
  let other: string;
  beforeAll(async () => {
    [id, other] = [await make(), await make()];
  });
  const patch = (fields: object) => caller.patch(`${route}/${id}`, wrap({ ...change, ...fields }));

  it('is refused with the id of another one, or with what is no id', async () => {
    const before = await stored();
    for (const named of [other, other.toUpperCase(), 'x', 5, { id }]) {
      expect(refusalsIn(await patch({ id: named }))).toEqual(['id: invalid']);
    }
    expect(await stored()).toEqual(before);
  });

  it('is done with its own id, in capitals too, and with none', async () => {
    for (const named of [id, id.toUpperCase(), null, '', undefined]) {
      const answer = await patch({ id: named });
      expect(answer.status, answer.text).toBe(200);
    }
  });

  it('that was refused has used up its nonce', async () => {
    const body = wrap({ ...change, id: other });
    const nonce = `other-${id}`;
    expect((await caller.patch(`${route}/${id}`, body, { nonce })).status).toBe(422);
    expect((await caller.patch(`${route}/${id}`, body, { nonce })).status).toBe(401);
  });
});
