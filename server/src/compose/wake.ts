/**
 * Wake-ups between processes, by PostgreSQL's notifications. They are sent apart from the transaction that gives the
 * reason: a commit with a notification waits for every other one of its kind. So they are gathered for a moment, and a
 * process that wakes itself a thousand times a second tells the others a few times.
 */
import type { Database } from '../kernel/database.ts';
import { localWake, type Wake, type WakeTopic } from '../kernel/wake.ts';

const CHANNEL = 'payferry_wake';
const GATHER_MS = 20;
const TOPICS: readonly WakeTopic[] = ['transactions', 'deliveries', 'senders', 'clock', 'corridors', 'providers'];
/**
 * What is heard when the connection that listens was opened anew (storage/pg-listen.ts): anything may have been said.
 */
const UNKNOWN = '';

interface SharedWake extends Wake {
  close(): Promise<void>;
}

export async function openWake(db: Database, onFault: (fault: unknown) => void): Promise<SharedWake> {
  const local = localWake();
  const gathered = new Set<WakeTopic>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  const send = () => {
    timer = undefined;
    const topics = [...gathered];
    gathered.clear();
    sending = db
      .query('select pg_notify($1, u.topic) from unnest($2::text[]) as u (topic)', [CHANNEL, topics])
      .then(() => undefined, onFault);
  };
  const stopListening = await db.listen(CHANNEL, (payload) => {
    for (const topic of TOPICS) if (payload === topic || payload === UNKNOWN) local.wake(topic);
  });
  return {
    on: local.on,
    wake: (topic) => {
      local.wake(topic);
      gathered.add(topic);
      timer ??= setTimeout(send, GATHER_MS);
    },
    close: async () => {
      if (timer) clearTimeout(timer);
      await sending;
      await stopListening();
    },
  };
}
