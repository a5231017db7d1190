/**
 * Webhooks, end to end: events are stored in batches as operations store them, the worker claims, signs, sends over
 * HTTP to a receiver on the same machine, and records. First as fast as it goes; then at half that rate, for the time
 * from commit to delivery; then the same with one endpoint of ten that never answers.
 */
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertKey } from '../server/src/accounts/keys.ts';
import { startWorkers } from '../server/src/compose/start-workers.ts';
import { webhookWork } from '../server/src/compose/webhook-work.ts';
import type { Context } from '../server/src/context.ts';
import { assert, present } from '../server/src/kernel/assert.ts';
import { createMetrics } from '../server/src/observability/metrics.ts';
import { descriptorHash, storeDescriptors } from '../server/src/webhooks/descriptors.ts';
import { type EventRecord, insertEvents } from '../server/src/webhooks/outbox.ts';
import { UndiciSender } from '../server/src/webhooks/undici-sender.ts';
import { insertWebhooks } from '../server/src/webhooks/webhook-store.ts';
import { seedAccount } from '../test/support/seed.ts';
import type { Measurement } from './measure.ts';

const ENDPOINTS = 10;
const BATCH = 64;
/** Batches that are being stored at once, as by the lanes of several operations. */
const PRODUCERS = 4;
/** A receiver answers at once; what never comes is a fault of the run. */
const MAX_WAIT_MS = 120_000;
/** Rates: the share of the fastest run at which waiting is measured, and how long. */
const HALF = 0.5;
const STEADY_SECONDS = 8;

interface Receiver {
  readonly url: string;
  /** Takes requests and never answers. */
  readonly deadUrl: string;
  /** When each event came, by its object. */
  readonly cameAtMs: Map<string, number>;
  close(): Promise<void>;
}

interface Customer {
  readonly accountId: string;
  readonly isDead: boolean;
}

export async function measureWebhooks(base: Context, { count }: { count: number }): Promise<Measurement[]> {
  const receiver = await openReceiver();
  const descriptors = base.catalogue.payouts().flatMap((corridor) => corridor.recipientTypes.map(corridor.fields));
  await base.db.inTx((tx) => storeDescriptors(tx, descriptors));
  const [descriptor] = descriptors.map(descriptorHash);
  const maker = eventMaker(base, present(descriptor, 'a descriptor'));
  try {
    await throughput(base, receiver, maker, { name: 'warm-up', count: Math.round(count / 4) });
    const fastest = await throughput(base, receiver, maker, { name: 'webhooks_delivered', count });
    const rate = fastest.perSecond * HALF;
    const calm = await latency(base, receiver, maker, { name: 'webhooks_at_half_rate', rate, dead: 0 });
    const hurt = await latency(base, receiver, maker, { name: 'webhooks_one_of_ten_dead', rate, dead: 1 });
    return [fastest, calm, hurt];
  } finally {
    await receiver.close();
  }
}

type MakeEvents = (customers: readonly Customer[], count: number) => EventRecord[];

/** An object of the size that a funded transaction has. */
function eventMaker(ctx: Context, descriptor: string): MakeEvents {
  const filler = 'x'.repeat(1_500);
  let made = 0;
  return (customers, count) =>
    Array.from({ length: count }, () => {
      made += 1;
      const objectId = ctx.ids.next();
      const object = { id: objectId, metadata: { filler }, recipients: [{ payout_method: { type: 'NGN::Bank' } }] };
      return {
        accountId: present(customers[made % customers.length], 'customer').accountId,
        eventId: ctx.ids.next(),
        event: 'transaction.paid_in',
        objectType: 'transaction',
        objectId,
        sequence: 1,
        object: JSON.stringify(object),
        descriptors: [descriptor],
        createdAt: ctx.clock.now(),
      };
    });
}

async function throughput(
  base: Context,
  receiver: Receiver,
  make: MakeEvents,
  { name, count }: { name: string; count: number },
): Promise<Measurement> {
  const customers = await seedCustomers(base, receiver, 0);
  const stop = startDelivery(base);
  receiver.cameAtMs.clear();
  const startedAtMs = performance.now();
  let stored = 0;
  await Promise.all(
    Array.from({ length: PRODUCERS }, async () => {
      while (stored < count) {
        const portion = Math.min(BATCH, count - stored);
        stored += portion;
        await store(base, make(customers, portion));
      }
    }),
  );
  await untilCame(receiver, count);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await stop();
  await retire(base, customers);
  return { name, perSecond: count / seconds, count, seconds, p50Ms: 0, p99Ms: 0, notes: { endpoints: ENDPOINTS } };
}

async function latency(
  base: Context,
  receiver: Receiver,
  make: MakeEvents,
  { name, rate, dead }: { name: string; rate: number; dead: number },
): Promise<Measurement> {
  const customers = await seedCustomers(base, receiver, dead);
  const alive = new Set(customers.filter(({ isDead }) => !isDead).map(({ accountId }) => accountId));
  const stop = startDelivery(base);
  receiver.cameAtMs.clear();
  const committedAtMs = new Map<string, number>();
  const startedAtMs = performance.now();
  const pending = new Set<Promise<void>>();
  let made = 0;
  while (performance.now() - startedAtMs < STEADY_SECONDS * 1_000) {
    const due = Math.floor(((performance.now() - startedAtMs) / 1_000) * rate) - made;
    if (due > 0) {
      const events = make(customers, Math.min(due, BATCH));
      made += events.length;
      const work = store(base, events).then(() => {
        for (const event of events)
          if (alive.has(event.accountId)) committedAtMs.set(event.objectId, performance.now());
        pending.delete(work);
      });
      pending.add(work);
    }
    await sleep(2);
  }
  await Promise.all(pending);
  await untilCame(receiver, committedAtMs.size);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await stop();
  await retire(base, customers);
  // Delivered before the program heard of the commit counts as no wait at all.
  const waits = [...committedAtMs]
    .map(([id, atMs]) => Math.max(0, present(receiver.cameAtMs.get(id), 'event that came') - atMs))
    .sort((one, other) => one - other);
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  const count = waits.length;
  return { name, perSecond: count / seconds, count, seconds, p50Ms: at(0.5), p99Ms: at(0.99), notes: { rate, dead } };
}

async function store(ctx: Context, events: readonly EventRecord[]): Promise<void> {
  await ctx.db.inTx((tx) => insertEvents(tx, events));
  ctx.wake.wake('deliveries');
}

/** A registry of its own, because each run makes its series anew. */
function startDelivery(base: Context): () => Promise<void> {
  const ctx = { ...base, metrics: createMetrics({ process: false }) };
  const httpClient = new UndiciSender({ mode: 'sandbox' });
  const stop = startWorkers(ctx, webhookWork(ctx, httpClient).works);
  return async () => {
    // What the dead endpoint holds would keep the worker waiting for its time-out.
    await httpClient.close();
    await stop();
  };
}

/** The dead one is on a machine of its own, as it would be: it takes connections and never answers. */
async function seedCustomers(ctx: Context, receiver: Receiver, dead: number): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (let place = 0; place < ENDPOINTS; place += 1) {
    const now = ctx.clock.now();
    const { accountId } = await seedAccount(ctx.db, ctx.ids, { now, balances: {} });
    const isDead = place < dead;
    const key = `bench-${accountId}`;
    await ctx.db.inTx(async (tx) => {
      await insertKey(tx, ctx.seal, { key, secret: 'secret', accountId, label: '', createdAt: now });
      const url = `${isDead ? receiver.deadUrl : receiver.url}/hooks/${place}`;
      const facts = { metadata: {}, key, createdAt: now, disabledAt: null, disabledReason: null };
      await insertWebhooks(tx, [
        { accountId, webhookId: ctx.ids.next(), url, events: ['transaction.paid_in'], ...facts },
      ]);
    });
    customers.push({ accountId, isDead });
  }
  return customers;
}

/** The next run begins without what this one left. */
async function retire(ctx: Context, customers: readonly Customer[]): Promise<void> {
  const accountIds = customers.map(({ accountId }) => accountId);
  await ctx.db.execute('delete from webhook_deliveries where account_id = any($1::uuid[])', [accountIds]);
  await ctx.db.execute('delete from webhooks where account_id = any($1::uuid[])', [accountIds]);
}

async function untilCame(receiver: Receiver, count: number): Promise<void> {
  const endMs = performance.now() + MAX_WAIT_MS;
  while (receiver.cameAtMs.size < count) {
    assert(performance.now() < endMs, `only ${receiver.cameAtMs.size} of ${count} events came in time`);
    await sleep(5);
  }
  assert(receiver.cameAtMs.size === count, 'no event came that was not stored');
}

async function openReceiver(): Promise<Receiver> {
  const cameAtMs = new Map<string, number>();
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = /"object":\{"id":"([^"]+)"/.exec(Buffer.concat(chunks).toString('utf8'))?.[1];
      if (id !== undefined && !cameAtMs.has(id)) cameAtMs.set(id, performance.now());
      reply.writeHead(200).end();
    });
  });
  const dead = createServer((request) => void request.resume());
  const [url, deadUrl] = [await listenOn(server), await listenOn(dead)];
  return {
    url,
    deadUrl,
    cameAtMs,
    close: async () => {
      for (const each of [server, dead]) {
        each.closeAllConnections();
        each.close();
      }
    },
  };
}

async function listenOn(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}
