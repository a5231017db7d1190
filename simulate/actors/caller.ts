/**
 * A caller as docs/integrating.md wants it: after any answer that is neither yes nor no it looks up its external id, and
 * only then decides. What was acknowledged goes to the promises; statuses that should not be are reported.
 */
import type { Stage, Tenant } from '../stage.ts';
import type { HeardAnswer, Method } from '../world.ts';
import { at, isUnknown, listAt, shown, textAt } from './answers.ts';

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

  /** The transaction that a call for a new one has led to; undefined: none. */
  async outcomeOf(answer: HeardAnswer | undefined, externalId: string, isFunded: boolean): Promise<unknown> {
    const { promises, world } = this.stage;
    if (answer?.status === 201) {
      const object = at(answer.body, 'object');
      this.keep(object, externalId, isFunded);
      return object;
    }
    const found = isUnknown(answer)
      ? await this.lookUp(externalId)
      : at(answer?.body, 'meta', 'existing', 'transaction');
    // What a read has shown is as good as acknowledged.
    if (found !== undefined) this.keep(found, externalId, false);
    if (found !== undefined || isUnknown(answer)) return found;
    if (answer?.status === 422) promises.refused.push({ accountId: this.tenant.accountId, externalId });
    else world.violate('no call meets a fault', `${this.name}: ${shown(answer)}`);
    return undefined;
  }

  keep(transaction: unknown, externalId: string, isFunded: boolean): void {
    const { promises, world } = this.stage;
    const transactionId = textAt(transaction, 'id') ?? '';
    if (!promises.created.some((each) => each.transactionId === transactionId)) {
      promises.created.push({ accountId: this.tenant.accountId, externalId, transactionId });
      world.counts.transactions += 1;
    }
    if (isFunded) promises.funded.add(transactionId);
  }
}

/** Ids say nothing to people, and make traces of equal runs differ after shrinking. */
function tidy(path: string): string {
  return path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '…');
}
