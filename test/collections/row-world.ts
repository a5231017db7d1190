/**
 * A world for the table of collections: a scripted payer, operators, a receiver of every event, and a log of every
 * stored move. Other amounts add up for half an hour, so that each step can be seen.
 */
import { expect } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import { operatorContext } from '../../server/src/operator/command.ts';
import type { PayinAnswer } from '../../server/src/providers/payin-provider.ts';
import { checkDueSenders } from '../../server/src/reviews/check-senders.ts';
import { scriptedScreening } from '../kyc/scripted-screening.ts';
import { openListener } from '../operator/support.ts';
import { type Deed, type Part, ScriptedPayer } from '../payins/scripted-payer.ts';
import { type App, startApp } from '../support/app.ts';
import { type CollectionView, type CollectionWish, collect, readCollection } from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, realWorker } from '../support/deliveries.ts';
import { logMoves } from '../support/moves-log.ts';
import { leaveNothingDue } from '../support/nothing-due.ts';
import type { Answer } from '../support/signed-caller.ts';
import { newToldCustomer, type ToldCustomer } from '../support/told.ts';

export const MINUTE_MS = 60_000;
export const WINDOW_MS = 30 * MINUTE_MS;

export interface Arrangement {
  /** What the payer does, prompt by prompt. */
  readonly parts?: readonly Part[];
  readonly wish?: CollectionWish;
  /** A rule of the operators holds everything of the account. */
  readonly isHeld?: true;
  /** Its sender is not approved yet. */
  readonly waits?: true;
  /** Nobody has come by since its creation. */
  readonly isFresh?: true;
}

type Call = Awaited<ReturnType<typeof openListener>>['call'];

export async function openRowWorld() {
  const { db } = await freshDatabase();
  const payer = new ScriptedPayer();
  const flags = { payinsMispaidWindow: '30m', payinsAskUntil: '10m' };
  const app = await startApp({ db, flags, payinProviders: [payer] });
  const { metrics } = app.ctx;
  const { call } = await openListener(operatorContext(app.ctx), { metrics, health: app.engine.health });
  const worker = realWorker(app.ctx);
  await logMoves(db);
  leaveNothingDue(db);

  async function arrange({ parts = [{ does: 'wait' }], wish = {}, ...how }: Arrangement): Promise<Collected> {
    const customer = await newToldCustomer(app, { terms: { kyc: how.waits ? 'review' : 'waived' } });
    if (how.isHeld) {
      const rule = { account_id: customer.accountId, kind: 'first' };
      expect((await call('POST', '/operator/hold-rules', rule)).status).toBe(201);
    }
    const created = await collect(customer, wish);
    payer.script(created.payin.id, ...parts);
    if (!how.isFresh) await app.engine.run();
    return new Collected({ app, payer, call, customer, created });
  }
  return { app, db, payer, call, arrange, deliver: () => deliverDue(worker) };
}

/** One collection, with everything that payer, provider, caller, operators and time can do to it. */
export class Collected {
  readonly customer: ToldCustomer;
  readonly created: CollectionView;
  readonly #app: App;
  readonly #payer: ScriptedPayer;
  readonly #call: Call;

  constructor(parts: {
    readonly app: App;
    readonly payer: ScriptedPayer;
    readonly call: Call;
    readonly customer: ToldCustomer;
    readonly created: CollectionView;
  }) {
    this.customer = parts.customer;
    this.created = parts.created;
    this.#app = parts.app;
    this.#payer = parts.payer;
    this.#call = parts.call;
  }

  get path(): string {
    return `/v1/payin_methods/${this.created.payin.id}`;
  }

  read(): Promise<CollectionView> {
    return readCollection(this.customer, this.created);
  }

  run(): Promise<void> {
    return this.#app.engine.run();
  }

  travel(byMs: number): Promise<void> {
    return this.#app.engine.travel(byMs);
  }

  /** The first moment after its hour; nothing in between is asked. */
  async endOfHour(): Promise<void> {
    this.#app.clock.set(new Date(this.created.expires_at));
    await this.run();
  }

  /** The payer or the provider does something about a prompt, and the provider calls. */
  async does(deed: Deed, index = 0): Promise<void> {
    const { order } = present(this.#payer.promptsOf(this.created.payin.id)[index], `prompt ${index}`);
    this.#payer.later(order.reference, deed);
    await this.#callback(order.reference);
    await this.run();
  }

  /** The same, while the rate of its recipient cannot be read: an answer that cannot be recorded. */
  async thenBroken(deed: Deed): Promise<void> {
    await this.#breakRate('broken');
    const { order } = present(this.#payer.promptsOf(this.created.payin.id)[0], 'prompt');
    this.#payer.later(order.reference, deed);
    await this.#callback(order.reference);
    await this.#breakRate('1/1500');
  }

  /** The prompt itself is answered so. */
  async promptBroken(): Promise<void> {
    await this.#breakRate('broken');
    await this.run();
    await this.#breakRate('1/1500');
  }

  async calls(method: 'post' | 'delete' | 'patch', path: string, body?: unknown): Promise<Answer> {
    const answer = await this.customer.caller.send(method.toUpperCase(), path, body);
    expect(answer.status, answer.text).toBe(200);
    await this.run();
    return answer;
  }

  async orders(path: string, body: object = { reason: 'looked at' }): Promise<void> {
    const { status, body: answer } = await this.#call('POST', `/operator/${path}`, body);
    expect(status, JSON.stringify(answer)).toBe(200);
    await this.run();
  }

  /** An operator decides on its sender, once that was checked. */
  async decides(what: 'approve' | 'ban' | 'lift'): Promise<void> {
    const screening = scriptedScreening();
    while ((await checkDueSenders(this.#app.ctx, screening)).count > 0);
    await this.orders(`senders/${this.created.sender.id}/${what}`);
  }

  /** The payment that waits in suspense. */
  async suspended(): Promise<string> {
    const { body } = await this.#call('GET', `/operator/payins/suspense?account_id=${this.customer.accountId}`);
    return present(Object(body).payins[0], 'a payment in suspense').id;
  }

  async #callback(reference: string, answer?: PayinAnswer): Promise<void> {
    const { headers, rawBody } = this.#payer.callback(reference, answer);
    const init = { method: 'POST', headers: Object(headers), body: new Uint8Array(rawBody) };
    const response = await fetch(`${this.#app.baseUrl}/providers/${this.#payer.name}/payin_callbacks`, init);
    expect(response.status).toBe(200);
  }

  async #breakRate(rate: string): Promise<void> {
    const recipientId = present(this.created.recipients[0], 'its recipient').id;
    await this.#app.db.execute('update recipients set rate = $2 where recipient_id = $1::uuid', [recipientId, rate]);
  }
}
