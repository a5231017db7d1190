/**
 * Who is there in a seed: tenants with keys, money and webhooks, one operator, and what the service has promised them.
 */
import { defaultTerms, type KycKind } from '../server/src/accounts/account.ts';
import { insertKey } from '../server/src/accounts/keys.ts';
import { insertOperator } from '../server/src/accounts/operators.ts';
import { insertAccount } from '../server/src/accounts/store.ts';
import { formatVersion7 } from '../server/src/kernel/ids.ts';
import { openBook, writeBook } from '../server/src/ledger/book.ts';
import { makeEntry } from '../server/src/ledger/entry.ts';
import { EVENT_NAMES } from '../server/src/webhooks/events.ts';
import { textAt } from './actors/answers.ts';
import { ProcessDatabase } from './database/port.ts';
import type { Receiver } from './outside/receivers.ts';
import { signedCall } from './outside/signed-call.ts';
import { SimulatedProcess } from './process.ts';
import { Promises } from './promises.ts';
import { simulatedSeal } from './service.ts';
import type { HeardAnswer, Method, World } from './world.ts';

export interface TenantPlan {
  readonly name: string;
  readonly webhooks: number;
  /** Minor units by currency. */
  readonly balances: Readonly<Record<string, bigint>>;
  readonly negativeBalance: boolean;
  /** How its senders are checked; waived unless it says otherwise. */
  readonly kyc?: KycKind;
}

export interface Tenant {
  readonly name: string;
  readonly accountId: string;
  readonly receivers: Receiver[];
  readonly broughtIn: Readonly<Record<string, bigint>>;
  /** Nothing is too much for it. */
  readonly mayOverdraw: boolean;
  /** Undefined: no answer came. */
  call(method: Method, path: string, body?: unknown): Promise<HeardAnswer | undefined>;
}

export interface Stage {
  readonly world: World;
  readonly tenants: readonly Tenant[];
  readonly promises: Promises;
  /** A request of an operator; the same command id twice is the same command. */
  operate(method: Method, path: string, body?: unknown, commandId?: string, as?: OperatorName): Operated;
}

type Operated = Promise<HeardAnswer | undefined>;

/** Something that happens at its time: a caller, an operator, a fault. */
export interface Happening {
  readonly label: string;
  /** Since the start. */
  readonly atMs: number;
  start(stage: Stage): void;
}

/** The first one is there unless somebody else is meant. */
export const OPERATORS = ['olga', 'omar'] as const;
export type OperatorName = (typeof OPERATORS)[number];
const tokenOf = (name: OperatorName) => `pfo_simulated-operator-${name}`;

/** Before any process runs, and without faults. */
export async function openStage(world: World, plans: readonly TenantPlan[]): Promise<Stage> {
  const nobody = new SimulatedProcess('setup', { onMishap: () => undefined });
  const db = new ProcessDatabase(world.host, nobody);
  const tenants: Tenant[] = [];
  for (const plan of plans) tenants.push(await openTenant(world, db, plan));
  const at = world.clock.now();
  for (const name of OPERATORS) {
    const operator = { operatorId: nextId(world), name, token: tokenOf(name), createdAt: at };
    await db.inTx((tx) => insertOperator(tx, operator));
  }
  return {
    world,
    tenants,
    promises: new Promises(),
    operate: (method, path, body, commandId, as = OPERATORS[0]) =>
      world.request('operators', method, path, {
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${tokenOf(as)}`, ...(commandId && { 'command-id': commandId }) },
      }),
  };
}

async function openTenant(world: World, db: ProcessDatabase, plan: TenantPlan): Promise<Tenant> {
  const at = world.clock.now();
  const accountId = nextId(world);
  const credentials = { key: `key-${plan.name}`, secret: `secret of ${plan.name}` };
  const terms = { ...defaultTerms('sandbox'), negativeBalance: plan.negativeBalance, name: plan.name };
  const kyc = plan.kyc ?? terms.kyc;
  const amounts = Object.entries(plan.balances).map(([currency, minor]) => ({ currency, minor }));
  await db.inTx(async (tx) => {
    await insertAccount(tx, { ...terms, kyc, accountId, createdAt: at, updatedAt: at });
    await insertKey(tx, simulatedSeal, { ...credentials, accountId, label: 'simulated', createdAt: at });
    const keys = amounts.flatMap(({ currency }) => [
      { accountId, currency, ledgerAccount: 'treasury' as const },
      { accountId, currency, ledgerAccount: 'balance' as const },
    ]);
    const book = await openBook(tx, keys);
    const ids = { next: () => nextId(world) };
    for (const each of amounts) book.post(makeEntry(ids, 'top_up', { accountId, postedAt: at, amounts: [each] }));
    await writeBook(tx, book);
  });
  return {
    name: plan.name,
    accountId,
    receivers: Array.from({ length: plan.webhooks }, (_, place) =>
      world.receivers.open(`https://hooks.example.com/${plan.name}/${place}`, credentials),
    ),
    broughtIn: plan.balances,
    mayOverdraw: plan.negativeBalance,
    call: (method, path, body) => signedCall(world, credentials, method, path, body),
  };
}

/** Registers the webhooks of a tenant, through the API, once a process runs. The first one wants every event. */
export async function registerWebhooks({ world, promises }: Stage, tenant: Tenant): Promise<void> {
  const { receivers, call, name, accountId } = tenant;
  for (const [place, { url }] of receivers.entries()) {
    const events = place === 0 ? EVENT_NAMES : EVENT_NAMES.filter((event) => event.startsWith('transaction.'));
    const answer = await call('POST', '/v1/webhooks', { webhook: { url, events } });
    const webhookId = textAt(answer?.body, 'object', 'id');
    if (answer?.status === 200 && webhookId !== undefined) promises.webhooks.set(webhookId, { accountId, url, events });
    else world.violate('the simulation runs', `webhook of ${name}: ${JSON.stringify(answer)}`);
  }
}

const ID_BYTES = 16;

export function nextId(world: World): string {
  const bytes = Buffer.alloc(ID_BYTES);
  world.draw('ids of the world').fill(bytes);
  return formatVersion7(bytes, world.time.nowMs);
}
