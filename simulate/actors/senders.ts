/**
 * An account whose senders are checked: senders come alone or with their first transaction, are edited, deleted and
 * named by lists, and their transactions are funded too early, in time or never. Operators: review-operators.ts.
 */
import { ADA } from '../../test/support/payout.ts';
import type { Chance } from '../chance.ts';
import { LISTED } from '../outside/lists.ts';
import type { Happening, Stage } from '../stage.ts';
import { listAt, textAt } from './answers.ts';
import { payoutBody } from './bodies.ts';
import { Caller } from './caller.ts';
import { type CollectionWish, collectionBody, drawCollectionWish } from './collection-bodies.ts';
import { Collection } from './collections.ts';
import { reviewSender } from './review-operators.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

interface SenderShape {
  /** Of the tenant among all. */
  readonly place: number;
  readonly lives: number;
  readonly forMs: number;
  readonly restless: number;
}

type Deed =
  | 'review'
  | 'fund'
  | 'fund twice at once'
  | 'edit'
  | 'edit the address'
  | 'disable'
  | 'be listed'
  | 'read'
  | 'pay again';

interface Life {
  readonly number: number;
  readonly place: number;
  readonly lastName: string;
  /** Alone first, clicked so often; or with the transaction. */
  readonly clicks: number;
  /** Undefined: a payout. */
  readonly collects: CollectionWish | undefined;
  readonly isAtOnce: boolean;
  readonly amount: string;
  readonly later: readonly { readonly afterMs: number; readonly does: Deed }[];
}

export function drawSenders(chance: Chance, shape: SenderShape): Happening[] {
  return Array.from({ length: shape.lives }, (_, number) => {
    const own = chance.of(number);
    const life = drawLife(own, shape, number);
    const label = `K${number}: ${life.lastName} ${life.collects ? 'collects' : 'pays'}`;
    const start = (stage: Stage) => stage.world.spawn(label, () => live(stage, own.of('deeds'), life));
    return { label, atMs: Math.floor(((number + own.next()) / shape.lives) * shape.forMs), start };
  });
}

function drawLife(chance: Chance, { place, restless }: SenderShape, number: number): Life {
  const isRestless = chance.percent(restless);
  return {
    number,
    place,
    lastName: chance.percent(10) ? LISTED : `Knownname${number}`,
    clicks: chance.pick([0, 1, 1, isRestless ? 2 : 1]),
    collects: chance.percent(35) ? drawCollectionWish(chance) : undefined,
    isAtOnce: chance.percent(15),
    amount: (chance.between(100, 30_000) / 100).toFixed(2),
    later: [
      { afterMs: chance.pick([0, SECOND_MS, 5 * MINUTE_MS]), does: 'fund' },
      ...(chance.percent(80)
        ? [{ afterMs: chance.pick([5 * SECOND_MS, 10 * MINUTE_MS]), does: 'review' as const }]
        : []),
      { afterMs: chance.pick([0, SECOND_MS, 10 * MINUTE_MS]), does: 'fund' },
      ...Array.from({ length: isRestless ? chance.between(1, 4) : 0 }, () => ({
        afterMs: chance.pick([0, 500, 20 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS]),
        does: chance.weighted<Deed>([
          [25, 'edit'],
          [10, 'edit the address'],
          [8, 'disable'],
          [10, 'be listed'],
          [10, 'read'],
          [20, 'fund twice at once'],
          [25, 'pay again'],
          [20, 'review'],
        ]),
      })),
      { afterMs: chance.pick([MINUTE_MS, 25 * MINUTE_MS]), does: 'fund' },
    ],
  };
}

async function live(stage: Stage, chance: Chance, life: Life): Promise<void> {
  const tenant = stage.tenants[life.place];
  if (!tenant) return;
  const caller = new Caller(stage, tenant, `K${life.number}`);
  const payer = new CheckedSender(caller, life);
  await payer.introduce(life.clicks);
  await payer.transact(life.isAtOnce);
  for (const { afterMs, does } of life.later) {
    await stage.world.sleep(afterMs);
    await payer.does(does, chance);
  }
}

/** A sender in the hands of its account. */
class CheckedSender {
  readonly #caller: Caller;
  readonly #life: Life;
  readonly #externalId: string;
  readonly #unfunded: string[] = [];
  #senderId: string | undefined;
  #count = 0;

  constructor(caller: Caller, life: Life) {
    this.#caller = caller;
    this.#life = life;
    this.#externalId = `kyc-${life.number}`;
  }

  get #identity() {
    // Cash is paid out for senders with papers only, and every list looks at names.
    return { ...ADA, last_name: this.#life.lastName, external_id: this.#externalId };
  }

  async introduce(clicks: number): Promise<void> {
    const calls = Array.from({ length: clicks }, () => this.#caller.introduce(this.#identity));
    for (const answer of await Promise.all(calls)) this.#senderId ??= textAt(answer?.body, 'object', 'id');
    if (this.#senderId === undefined && clicks > 0) await this.#lookUp();
  }

  async #lookUp(): Promise<void> {
    const answer = await this.#caller.call('GET', `/v1/senders?external_id=${this.#externalId}`);
    this.#senderId = textAt(listAt(answer?.body, 'object')[0], 'id');
  }

  async transact(isAtOnce: boolean): Promise<void> {
    const { collects, amount, number } = this.#life;
    const label = `K${number}${'abcdefgh'.charAt(this.#count)}`;
    this.#count += 1;
    const externalId = `checked-${label}`;
    const sender = this.#senderId === undefined ? this.#identity : { external_id: this.#externalId };
    const recipients = [{ isCash: false, amount, lastName: label }];
    const { transaction } = collects
      ? collectionBody(collects, { externalId, label, sender })
      : payoutBody({ externalId, inputCurrency: 'USD', sender, recipients });
    const isFunded = isAtOnce && collects === undefined;
    const made = await this.#caller.make(transaction, isFunded);
    this.#senderId ??= textAt(made, 'sender', 'id');
    const id = textAt(made, 'id');
    if (id !== undefined && collects === undefined && !isFunded) this.#unfunded.push(id);
    if (made !== undefined && collects?.kind.flow !== undefined) {
      await new Collection(this.#caller, made, collects).edit({ otp: '123456' });
    }
  }

  async does(deed: Deed, chance: Chance): Promise<void> {
    switch (deed) {
      case 'fund':
        return this.#fund();
      case 'fund twice at once':
        await Promise.all([this.#fund(), this.#fund()]);
        return;
      case 'review':
        if (this.#senderId !== undefined) await reviewSender(this.#caller.stage, chance, this.#senderId);
        return;
      case 'pay again':
        return this.transact(chance.percent(30));
      case 'edit':
        return this.#edit({ first_name: chance.pick(['Adaeze', 'Adah', 'Adda']) });
      case 'edit the address':
        return this.#edit({ street: chance.pick(['2 High Street', '3 High Street']) });
      case 'be listed':
        this.#caller.stage.world.lists.add(this.#life.lastName);
        return;
      case 'read':
        if (this.#senderId !== undefined) await this.#caller.call('GET', `/v1/senders/${this.#senderId}`);
        return;
      case 'disable': {
        if (this.#senderId === undefined) return;
        const answer = await this.#caller.call('DELETE', `/v1/senders/${this.#senderId}`);
        if (answer?.status === 200) this.#caller.stage.promises.disabledSenders.add(this.#senderId);
      }
    }
  }

  async #fund(): Promise<void> {
    for (const id of this.#unfunded) await this.#caller.debit([id]);
  }

  async #edit(details: Readonly<Record<string, string>>): Promise<void> {
    const id = this.#senderId;
    if (id === undefined) return;
    await this.#caller.stage.promises.senderDetails.edit(id, details, () =>
      this.#caller.call('PATCH', `/v1/senders/${id}`, { sender: details }),
    );
  }
}
