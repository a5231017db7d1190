/**
 * LISTEN on a connection of its own, opened again when it breaks. A notification only shortens a wait: whoever listens
 * also polls, so nothing depends on one arriving (and on a distributed engine they reach one node only).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnavailable } from '../kernel/database.ts';

const RECONNECT_DELAY_MS = 500;

interface Subscription {
  readonly client: pg.Client;
  /** Resolves when the connection is gone, whoever closed it. */
  readonly ended: Promise<void>;
}

export async function listenOn(
  config: pg.ClientConfig,
  channel: string,
  onNotify: (payload: string) => void,
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  let current = await subscribe(config, channel, onNotify);

  async function keepSubscribed(): Promise<void> {
    while (!stop.signal.aborted) {
      await current.ended;
      if (stop.signal.aborted) return;
      const next = await subscribe(config, channel, onNotify).catch(() => undefined);
      if (next) {
        current = next;
        // Asked to stop while it was being opened: nobody else will close it.
        if (stop.signal.aborted) return next.client.end();
        // What was announced while nobody listened is unknown, so wake the listener once.
        onNotify('');
      } else {
        await sleep(RECONNECT_DELAY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
  }

  const kept = keepSubscribed();
  return async () => {
    stop.abort();
    await current.client.end().catch(() => undefined);
    await kept;
  };
}

async function subscribe(
  config: pg.ClientConfig,
  channel: string,
  onNotify: (payload: string) => void,
): Promise<Subscription> {
  const client = new pg.Client(config);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('notification', (message) => onNotify(message.payload ?? ''));
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  } catch (fault) {
    await client.end().catch(() => undefined);
    throw new DatabaseUnavailable('no connection to listen on', { cause: fault });
  }
  return { client, ended };
}
