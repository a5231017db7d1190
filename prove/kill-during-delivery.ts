/**
 * Kills the program at random moments while webhooks are being delivered, and then looks: every event that was
 * committed reached the receiver at least once with a right signature, and nothing reached it that was not committed.
 * The moments come from a seed; what the machine makes of them does not, so a run cannot be replayed exactly.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../test/http/hostile-requests.ts';
import { createPayout } from '../test/service/calls.ts';
import { register } from '../test/support/register.ts';
import type { SignedCaller } from '../test/support/signed-caller.ts';
import { openReceiver, type WebhookReceiver } from '../test/support/webhook-receiver.ts';
import { type RunningProgram, startProgram } from './running-program.ts';

interface DeliveryKillOptions {
  readonly kills: number;
  readonly payoutsPerRound: number;
  readonly seed: number;
  readonly onRound?: (round: DeliveryKillRound) => void;
}

interface DeliveryKillRound {
  readonly round: number;
  readonly created: number;
  /** Events that had reached the receiver when the program was killed. */
  readonly before: number;
  /** Requests that came in all: more than the events, where some came twice. */
  readonly requests: number;
}

const CALLERS = 16;
const AMOUNT = 1;
const MAX_WAIT_MS = 180_000;
const LOOK_EVERY_MS = 50;
/** Attempts end soon, and so do the leases that a killed program leaves behind. */
const FLAGS = ['--webhooks-timeout', '1s'];

/** Throws at the first thing that is wrong. */
export async function killDuringDelivery(options: DeliveryKillOptions): Promise<readonly DeliveryKillRound[]> {
  const random = randomFrom(options.seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'payferry-kill-'));
  const rounds: DeliveryKillRound[] = [];
  const secrets = new Map<string, string>();
  const receiver = await openReceiver(secrets);
  let program: RunningProgram | undefined;
  try {
    program = await startProgram(dataDir, { flags: FLAGS });
    secrets.set(program.access.key, program.access.secret);
    await register(program.caller, `${receiver.baseUrl}/hooks`, ['transaction.created']);
    const committed = new Set<string>();
    for (let round = 1; round <= options.kills; round += 1) {
      const from = receiver.received.length;
      const goal = from + 1 + random.below(Math.floor(options.payoutsPerRound / 2));
      const creating = createPayouts(program.caller, options.payoutsPerRound);
      await untilReceived(receiver, goal);
      await program.kill();
      const before = receiver.received.length - from;
      const created = await creating;
      for (const id of created) committed.add(id);
      program = await startProgram(dataDir, { flags: FLAGS });
      for (const id of await idsOf(program.caller)) committed.add(id);
      await untilAll(receiver, committed);
      const result = { round, created: created.length, before, requests: receiver.received.length - from };
      rounds.push(result);
      options.onRound?.(result);
    }
    check(receiver, committed);
    return rounds;
  } finally {
    await program?.stop();
    await receiver.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Gives the ids of those that were acknowledged before the program was killed. */
async function createPayouts(caller: SignedCaller, count: number): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < count) {
        next += 1;
        const id = await createPayout(caller, AMOUNT).catch(() => undefined);
        if (id === undefined) return;
        ids.push(id);
      }
    }),
  );
  return ids;
}

/** All transactions that exist: what was committed although nobody heard of it must be told too. */
async function idsOf(caller: SignedCaller): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await caller.get(`/v1/transactions?per=100&page=${page}`);
    const found: { id: string }[] = Object(body).object;
    ids.push(...found.map(({ id }) => id));
    if (found.length < 100) return ids;
  }
}

async function untilReceived(receiver: WebhookReceiver, count: number): Promise<void> {
  const endMs = performance.now() + MAX_WAIT_MS;
  while (receiver.received.length < count) {
    if (performance.now() > endMs) throw new Error(`only ${receiver.received.length} of ${count} webhooks came`);
    await sleep(1);
  }
}

async function untilAll(receiver: WebhookReceiver, committed: ReadonlySet<string>): Promise<void> {
  const endMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const came = new Set(receiver.received.map(({ body }) => String(body.object['id'])));
    const missing = [...committed].filter((id) => !came.has(id));
    if (missing.length === 0) return;
    if (performance.now() > endMs) throw new Error(`${missing.length} committed events never came: ${missing[0]}`);
    await sleep(LOOK_EVERY_MS);
  }
}

function check(receiver: WebhookReceiver, committed: ReadonlySet<string>): void {
  const unsigned = receiver.received.filter(({ isSigned }) => !isSigned);
  if (unsigned.length > 0) throw new Error(`${unsigned.length} webhooks had a wrong signature`);
  const invented = receiver.received.filter(({ body }) => !committed.has(String(body.object['id'])));
  if (invented.length > 0) throw new Error(`an event was invented: ${invented[0]?.raw}`);
  const bodies = new Map<string, string>();
  for (const { raw, body } of receiver.received) {
    const id = String(body.object['id']);
    if ((bodies.get(id) ?? raw) !== raw) throw new Error(`an event came with two bodies: ${id}`);
    bodies.set(id, raw);
  }
}
