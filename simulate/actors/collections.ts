/**
 * Callers who collect: created, clicked twice, read, edited, given the one-time code, tried again, canceled. What
 * payers do meanwhile is decided by the payin providers. Each life is drawn from a stream of its own before anything
 * runs.
 */
import type { Chance } from '../chance.ts';
import { RIGHT_CODE } from '../outside/payin-provider.ts';
import type { Happening, Stage } from '../stage.ts';
import { textAt } from './answers.ts';
import { Caller } from './caller.ts';
import { type CollectionWish, collectionBody, drawCollectionWish, payerOf } from './collection-bodies.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

interface CollectionShape {
  readonly tenants: number;
  readonly lives: number;
  readonly forMs: number;
  /** So many of a hundred do more than wait. */
  readonly restless: number;
}

type Deed =
  | 'read'
  | 'edit'
  | 'retry'
  | 'retry twice at once'
  | 'cancel'
  | 'cancel twice at once'
  | 'recipient'
  | 'debit';

interface Life {
  readonly tenant: number;
  readonly number: number;
  readonly wish: CollectionWish;
  readonly sender: string;
  readonly isQuoted: boolean;
  readonly clicks: number;
  /** Codes that the payer is asked for and gives, and when. */
  readonly codes: readonly { readonly afterMs: number; readonly isRight: boolean }[];
  readonly later: readonly { readonly afterMs: number; readonly does: Deed }[];
}

export function drawCollections(chance: Chance, shape: CollectionShape): Happening[] {
  return Array.from({ length: shape.lives }, (_, number) => {
    const own = chance.of(number);
    const life = drawLife(own, shape, number);
    const label = `C${number} of tenant ${life.tenant}: ${life.wish.kind.type} into ${life.wish.balance}`;
    const start = (stage: Stage) => stage.world.spawn(label, () => live(stage, own.of('edits'), life));
    return { label, atMs: Math.floor(((number + own.next()) / shape.lives) * shape.forMs), start };
  });
}

function drawLife(chance: Chance, { tenants, restless }: CollectionShape, number: number): Life {
  const isRestless = chance.percent(restless);
  const wish = drawCollectionWish(chance);
  const steps = isRestless ? chance.between(1, 4) : 0;
  return {
    tenant: chance.below(tenants),
    number,
    wish,
    sender: `payer-${chance.below(4)}`,
    isQuoted: chance.percent(10),
    clicks: isRestless && chance.percent(25) ? 2 : 1,
    codes: wish.kind.flow === undefined ? [] : drawCodes(chance),
    later: Array.from({ length: steps }, () => ({
      afterMs: chance.pick([0, 500, 5 * SECOND_MS, MINUTE_MS, 20 * MINUTE_MS, 3 * HOUR_MS]),
      does: chance.weighted<Deed>([
        [20, 'read'],
        [25, 'edit'],
        [15, 'retry'],
        [10, 'retry twice at once'],
        [15, 'cancel'],
        [10, 'cancel twice at once'],
        [5, 'recipient'],
        [5, 'debit'],
      ]),
    })),
  };
}

function drawCodes(chance: Chance): Life['codes'] {
  const wrong = chance.percent(40) ? [{ afterMs: 20 * SECOND_MS, isRight: false }] : [];
  const right = chance.percent(85) ? [{ afterMs: chance.pick([20 * SECOND_MS, 15 * MINUTE_MS]), isRight: true }] : [];
  return [...wrong, ...right];
}

async function live(stage: Stage, chance: Chance, life: Life): Promise<void> {
  const tenant = stage.tenants[life.tenant];
  if (!tenant) return;
  const caller = new Caller(stage, tenant, `C${life.number}`);
  const externalId = `collection-${life.number}`;
  const body = collectionBody(life.wish, { externalId, label: `C${life.number}`, sender: payerOf(life.sender) });
  if (life.isQuoted) await caller.call('POST', '/v1/transactions/calculate', body);
  const clicks = Array.from({ length: life.clicks }, () => caller.make(body.transaction, false));
  const made = (await Promise.all(clicks)).find((each) => each !== undefined);
  if (made === undefined) return;
  const collection = new Collection(caller, made, life.wish);
  for (const { afterMs, isRight } of life.codes) {
    await stage.world.sleep(afterMs);
    await collection.edit({ otp: isRight ? RIGHT_CODE : '999999' });
  }
  for (const { afterMs, does } of life.later) {
    await stage.world.sleep(afterMs);
    await collection.does(does, chance);
  }
}

/** A collection in the hands of its caller. */
export class Collection {
  readonly #caller: Caller;
  readonly #wish: CollectionWish;
  readonly #id: string;
  readonly #payinId: string;
  readonly #recipientId: string;

  constructor(caller: Caller, made: unknown, wish: CollectionWish) {
    this.#caller = caller;
    this.#wish = wish;
    this.#id = textAt(made, 'id') ?? '';
    this.#payinId = textAt(made, 'payin_methods', 0, 'id') ?? '';
    this.#recipientId = textAt(made, 'recipients', 0, 'id') ?? '';
  }

  async does(deed: Deed, chance: Chance): Promise<void> {
    const { name, values } = this.#wish.kind.edit;
    switch (deed) {
      case 'read':
        await this.#caller.call('GET', `/v1/payin_methods/${this.#payinId}`);
        return;
      case 'edit':
        return this.edit({ [name]: chance.pick(values) });
      case 'retry':
        return this.#retry();
      case 'retry twice at once':
        await Promise.all([this.#retry(), this.#retry()]);
        return;
      case 'cancel':
        return this.#cancel();
      case 'cancel twice at once':
        await Promise.all([this.#cancel(), this.#cancel()]);
        return;
      case 'recipient': {
        const answer = await this.#caller.call('DELETE', `/v1/recipients/${this.#recipientId}`);
        if (answer?.status === 200) this.#caller.stage.promises.canceled.add(this.#recipientId);
        return;
      }
      case 'debit':
        return this.#debit();
    }
  }

  async edit(details: Readonly<Record<string, string>>): Promise<void> {
    const path = `/v1/payin_methods/${this.#payinId}`;
    await this.#caller.stage.promises.payinDetails.edit(this.#payinId, details, () =>
      this.#caller.call('PATCH', path, { in_details: details }),
    );
  }

  async #retry(): Promise<void> {
    await this.#caller.call('POST', `/v1/payin_methods/${this.#payinId}/retry`);
  }

  async #cancel(): Promise<void> {
    const answer = await this.#caller.call('DELETE', `/v1/payin_methods/${this.#payinId}`);
    if (answer?.status === 200) this.#caller.stage.promises.canceledPayins.add(this.#payinId);
  }

  /** Its payer pays, never its account. */
  async #debit(): Promise<void> {
    const answer = await this.#caller.debit([this.#id]);
    if (answer?.status === 200) this.#caller.stage.world.violate('a bad request is refused', 'debit of a collection');
  }
}
