/**
 * The end of a seed: nothing goes wrong any more, providers answer and decide, and time goes on until nothing is due.
 * Where one recipient was paid and another needs people, its caller gives up; operators decide what waits for them.
 */

import { Caller } from './actors/caller.ts';
import { cancel } from './actors/payouts.ts';
import { decideEverything } from './actors/review-operators.ts';
import type { Stage } from './stage.ts';

const DAY_MS = 86_400_000;
/** The automatic refund comes after a day, and is settled with the provider first. */
const REST_MS = 3 * DAY_MS;
const MAX_ROUNDS = 4;

type Go = (until: () => boolean) => Promise<void>;

export async function comeToRest(stage: Stage, go: Go, disarm: () => void): Promise<void> {
  const { world } = stage;
  world.isComingToRest = true;
  disarm();
  for (const provider of [...world.providers, ...world.payinProviders]) provider.comeToRest();
  for (const receiver of world.receivers.all()) receiver.mood = 'good';
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const until = world.time.nowMs + REST_MS;
    // Something has to happen at that time, or time would not get there.
    world.agenda.add(until, () => undefined);
    world.spawn('last decisions', () => decideEverything(stage));
    await go(() => world.time.nowMs >= until && world.tasks === 0 && world.inFlight === 0);
    if (world.violations.length > 0 || !giveUp(stage)) return;
  }
}

const MANUAL = `select r.account_id, r.recipient_id from recipients r where r.state = 'manual' order by r.recipient_id`;
const UNDECIDED = `
  select t.transaction_id from transactions t where t.state = 'processing'
  union all
  select s.sender_id from senders s where s.state in ('initial', 'verified')`;

/** Whether anybody had to. */
function giveUp(stage: Stage): boolean {
  const { world, tenants } = stage;
  const { rows } = world.host.engine.run(MANUAL);
  for (const { account_id: accountId, recipient_id: recipientId } of rows) {
    const tenant = tenants.find((each) => each.accountId === accountId);
    if (tenant) world.spawn('giving up', () => cancel(new Caller(stage, tenant, 'end'), String(recipientId)));
  }
  return rows.length > 0 || world.host.engine.run(UNDECIDED).rows.length > 0;
}
