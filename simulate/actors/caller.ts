/**
 * A caller as docs/integrating.md wants it: after any answer that is neither yes nor no it looks up its external id,
 * and only then decides. What was acknowledged goes to the promises; statuses that should not be are reported.
 */
import { nameIn } from '../refused-names.ts';
import type { Stage, Tenant } from '../stage.ts';
import type { HeardAnswer, Method } from '../world.ts';
import { at, isUnknown, listAt, shown, textAt } from './answers.ts';
import { type AskedTransaction, keepSender, keepTransaction } from './keep.ts';

/** What a well-behaved service answers to well-formed requests. */
const EXPECTED = [200, 201, 404, 422, 503];
const AGAIN_MS = 30_000;
const MAX_TRIES = 40;

export class Caller {
  readonly stage: Stage;
  readonly tenant: Tenant;
  readonly name: string;

  constructor(stage: Stage, tenant: Tenant, name: string) {
    this.stage = stage;
    this.tenant = tenant;
    this.name = name;
  }

  async call(method: Method, path: string, body?: unknown): Promise<HeardAnswer | undefined> {
    const { world } = this.stage;
    const answer = await this.tenant.call(method, path, body);
    world.trace.add(this.tenant.name, `${this.name} ${method} ${tidy(path)}: ${shown(answer)}`);
    if (answer && !EXPECTED.includes(answer.status)) {
      world.violate('no call meets a fault', `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer;
  }

  /** Asks until somebody answers. Undefined: there is no such transaction. */
  async lookUp(externalId: string): Promise<unknown> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const answer = await this.call('GET', `/v1/transactions?external_id=${externalId}`);
      if (answer?.status === 200) return listAt(answer.body, 'object')[0];
      await this.stage.world.sleep(AGAIN_MS);
    }
    return undefined;
  }

  /** Asks for a new sender. */
  async introduce(sender: { readonly external_id: string }): Promise<HeardAnswer | undefined> {
    const { promises } = this.stage;
    const answer = await promises.refusedSenders.during(nameIn(this.tenant.accountId, sender.external_id), () =>
      this.call('POST', '/v1/senders', { sender }),
    );
    if (answer?.status === 200) keepSender(promises, this.tenant, at(answer.body, 'object'), sender);
    return answer;
  }

  /** Asks for a new transaction. Refused, it leaves neither itself nor a sender that came with it. */
  create(asked: AskedTransaction, isFunded: boolean): Promise<HeardAnswer | undefined> {
    const { refusedTransactions, refusedSenders } = this.stage.promises;
    const { accountId } = this.tenant;
    const path = isFunded ? '/v1/transactions/create_and_fund' : '/v1/transactions';
    const send = () => this.call('POST', path, { transaction: asked });
    const sender = textAt(asked.sender, 'external_id');
    return refusedTransactions.during(nameIn(accountId, asked.external_id), () =>
      sender === undefined ? send() : refusedSenders.during(nameIn(accountId, sender), send),
    );
  }

  /** The same, and what it has led to, also when the answer was lost; undefined: nothing. */
  async make(asked: AskedTransaction, isFunded: boolean): Promise<unknown> {
    const { promises, world } = this.stage;
    const answer = await this.create(asked, isFunded);
    const isCreated = answer?.status === 201;
    const found = isCreated
      ? at(answer.body, 'object')
      : isUnknown(answer)
        ? await this.lookUp(asked.external_id)
        : at(answer?.body, 'meta', 'existing', 'transaction');
    if (found !== undefined) {
      // What a read has shown is as good as acknowledged.
      if (keepTransaction(promises, this.tenant, found, asked)) world.counts.transactions += 1;
      const id = textAt(found, 'id') ?? '';
      if (isFunded) promises.refusedDebits.allow(nameIn(this.tenant.accountId, id));
      if (isFunded && isCreated) promises.funded.add(id);
    } else if (!isUnknown(answer) && answer?.status !== 422) {
      world.violate('no call meets a fault', `${this.name}: ${shown(answer)}`);
    }
    return found;
  }

  /** Funds them all, or none. */
  async debit(transactionIds: readonly string[], more: object = {}): Promise<HeardAnswer | undefined> {
    const { refusedDebits, funded } = this.stage.promises;
    const debit = transactionIds.map((id) => ({ to_id: id, to_type: 'Transaction', ...more }));
    const send = transactionIds.reduce(
      (inner, id) => () => refusedDebits.during(nameIn(this.tenant.accountId, id), inner),
      () => this.call('POST', '/v1/accounts/debits', { debit }),
    );
    const answer = await send();
    if (answer?.status === 200) for (const id of transactionIds) funded.add(id);
    return answer;
  }
}

/** Ids say nothing to people, and make traces of equal runs differ after shrinking. */
function tidy(path: string): string {
  return path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '…');
}
