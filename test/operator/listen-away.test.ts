/** `payferry listen` while the service goes away: it waits, and ends with where to go on when the answer is no. */
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';
import { insertEvents } from '../../server/src/webhooks/outbox.ts';
import { until } from '../support/until.ts';
import { startCli } from './run-cli.ts';
import { createPlainAccount, startOperatorService } from './support.ts';

const service = await startOperatorService();
const { ctx, db, moveClock } = service;
const ids = timeOrderedIds(() => ctx.clock.now().getTime());

/** The address by which the service is reached, and not while it is away. */
async function openDoor() {
  const behind = Number(new URL(service.url).port);
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const called = connect(behind, '127.0.0.1');
    for (const socket of [caller, called]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    caller.pipe(called).pipe(caller);
  });
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  await listen(0);
  const { port } = server.address() as { port: number };
  const leave = async () => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  afterAll(() => server.listening && leave());
  return { url: `http://127.0.0.1:${port}`, leave, comeBack: () => listen(port) };
}

async function happen(accountId: string): Promise<string> {
  moveClock(1);
  const [eventId, objectId] = [ids.next(), ids.next()];
  const about = { event: 'sender.approved', objectType: 'sender', objectId, sequence: 1, object: '{}' } as const;
  const createdAt = ctx.clock.now();
  await db.inTx((tx) => insertEvents(tx, [{ accountId, eventId, ...about, descriptors: [], createdAt }]));
  return eventId;
}

/** Somebody who listens through a door of their own, and has heard one event. */
async function listening(...more: readonly string[]) {
  const [door, accountId] = [await openDoor(), await createPlainAccount(service)];
  const before = await happen(accountId);
  const heard = await happen(accountId);
  const args = ['--account', accountId, '--after', before, '--operator-url', door.url, ...more];
  const cli = startCli(['listen', ...args, '--operator-token', service.token]);
  await until('the first event is heard', () => cli.printed().stdout.includes('sender.approved'));
  return { accountId, heard, door, cli };
}

describe('payferry listen', () => {
  it('waits while the service is started anew, and hears what happened meanwhile', async () => {
    const { accountId, door, cli } = await listening('--count', '2');
    await door.leave();
    await until('it waits', () => cli.printed().stderr.includes('Waiting for it, 120 seconds at most.'));
    await happen(accountId);
    await door.comeBack();
    const { code, stdout, stderr } = await cli.ended;
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 2]);
    expect(stderr).toMatch(/^Listening\.\n[^\n]+\nWaiting for it, 120 seconds at most\.\nIt is back\.\n$/);
  });

  it('that is refused further answers ends, and says behind which event to go on', async () => {
    const { accountId, heard, cli } = await listening();
    await service.call('POST', '/operator/operators', { name: 'eve' });
    await service.call('DELETE', '/operator/operators/ada');
    const last = await happen(accountId);
    const { code, stdout, stderr } = await cli.ended;
    expect(code).toBe(1);
    // The question that brings the last one was asked before the refusal, or was the one that was refused.
    const printed = [heard, last].slice(0, stdout.trim().split('\n').length);
    expect(stderr).toContain(`\nGo on with --after ${printed.at(-1)}\n`);
  });
});
