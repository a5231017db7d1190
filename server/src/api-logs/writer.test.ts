import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeAccount, settingsFor } from '../../../test/http/edge.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { DatabaseUnavailable } from '../kernel/database.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { silentLog } from '../kernel/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { type ApiLog, MAX_BODY_CHARS } from './api-log.ts';
import { MAX_HELD_CHARS, MAX_HELD_LOGS, openApiLogWriter, WORTH_WRITING } from './writer.ts';

const { db } = await freshDatabase();
const ids = timeOrderedIds();

function logOf(accountId: string, over: Partial<ApiLog> = {}): ApiLog {
  return {
    ...{ accountId, apiLogId: ids.next(), requestMethod: 'GET', requestUrl: '/v1/accounts', requestBody: '' },
    ...{ requestHeaders: {}, responseStatus: 200, responseHeaders: {}, responseBody: '{}', createdAt: new Date() },
    ...over,
  };
}

function openWriter(flags: Record<string, string> = {}, database: Pick<typeof db, 'inTx'> = db) {
  const metrics = createMetrics({ process: false });
  const writer = openApiLogWriter({
    db: { ...db, ...database },
    settings: settingsFor(flags),
    log: silentLog,
    metrics,
  });
  const dropped = async (reason: string) => {
    const line = new RegExp(`^payferry_api_logs_dropped_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
    return Number(line.exec(await metrics.text())?.[1] ?? 0);
  };
  return { writer, dropped };
}

/** A database that stores nothing, and that only once it is told to go on. */
function waitingDatabase() {
  let goOn: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return { inTx: () => told as Promise<never>, goOn: () => goOn() };
}

const countOf = async (accountId: string) =>
  (await db.query('select 1 from api_logs where account_id = $1::uuid', [accountId])).length;

describe('the writer of API logs', () => {
  it.each([
    ['all accounts together', 'false'],
    ['each account apart', 'true'],
  ])('stores everything that it was given, %s', async (_, databaseOneTenantBatches) => {
    const { writer, dropped } = openWriter({ databaseOneTenantBatches });
    const accounts = await Promise.all([makeAccount(db), makeAccount(db)]);
    for (let place = 0; place < 600; place += 1) {
      for (const { accountId } of accounts) writer.add(logOf(accountId));
    }
    await writer.close();
    expect(await Promise.all(accounts.map(({ accountId }) => countOf(accountId)))).toEqual([600, 600]);
    expect([await dropped('queue_full'), await dropped('not_stored')]).toEqual([0, 0]);
  });

  it('takes as many as it may hold, drops and counts the others, and takes on once there is room again', async () => {
    const database = waitingDatabase();
    const { writer, dropped } = openWriter({}, database);
    const log = logOf(ids.next());
    for (let place = 0; place < MAX_HELD_LOGS; place += 1) writer.add(log);
    expect(await dropped('queue_full')).toBe(0);
    writer.add(log);
    expect(await dropped('queue_full')).toBe(1);
    database.goOn();
    await writer.flush();
    writer.add(log);
    expect(await dropped('queue_full')).toBe(1);
  });

  it.each([
    [WORTH_WRITING - 1, 0],
    [WORTH_WRITING, 1],
  ])('has of %d logs at once %d batches under way before its time', async (logs, batches) => {
    const database = waitingDatabase();
    let begun = 0;
    const inTx = () => {
      begun += 1;
      return database.inTx();
    };
    const { writer } = openWriter({}, { inTx });
    for (let place = 0; place < logs; place += 1) writer.add(logOf(ids.next()));
    await nextTurn();
    expect(begun).toBe(batches);
    database.goOn();
    await writer.close();
    expect(begun).toBe(1);
  });

  const long = 'x'.repeat(MAX_BODY_CHARS);
  it.each<[string, Partial<ApiLog>]>([
    ['the bodies', { responseBody: long }],
    ["the headers of a request, which are its caller's", { responseBody: '', requestHeaders: { A: long.slice(1) } }],
  ])('counts the length of %s as well', async (_, over) => {
    const database = waitingDatabase();
    const { writer, dropped } = openWriter({}, database);
    const log = logOf(ids.next(), { requestUrl: '', ...over });
    for (let chars = 0; chars < MAX_HELD_CHARS; chars += MAX_BODY_CHARS) writer.add(log);
    expect(await dropped('queue_full')).toBe(0);
    writer.add(log);
    expect(await dropped('queue_full')).toBe(1);
    // What was written takes no room any more.
    database.goOn();
    await writer.flush();
    writer.add(log);
    expect(await dropped('queue_full')).toBe(1);
    await writer.close();
  });

  it('stores a batch once whose commit was not confirmed', async () => {
    let tries = 0;
    const inTx: typeof db.inTx = async (work) => {
      tries += 1;
      const answer = await db.inTx(work);
      if (tries === 1) throw new DatabaseUnavailable('gone after the commit');
      return answer;
    };
    const { accountId } = await makeAccount(db);
    const { writer, dropped } = openWriter({}, { inTx });
    writer.add(logOf(accountId));
    await writer.close();
    expect([tries, await countOf(accountId), await dropped('not_stored')]).toEqual([2, 1, 0]);
  });

  it('gives up on a database that stays away, and counts what it lost', async () => {
    const inTx = async () => {
      throw new DatabaseUnavailable('away');
    };
    const { writer, dropped } = openWriter({}, { inTx });
    for (let place = 0; place < 300; place += 1) writer.add(logOf(ids.next()));
    await writer.close();
    expect(await dropped('not_stored')).toBe(300);
  });
});
