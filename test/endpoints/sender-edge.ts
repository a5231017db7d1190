/**
 * A server with the routes of senders and documents, over a real database, and what tests of them ask again and again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type CreateDocumentCommand, createDocuments } from '../../server/src/documents/create.ts';
import { pgFileStore } from '../../server/src/documents/pg-files.ts';
import { documentRoutes } from '../../server/src/http/routes/documents.ts';
import { senderRoutes } from '../../server/src/http/routes/senders.ts';
import { BatchRunner, type BatchWork } from '../../server/src/kernel/batch.ts';
import type { Clock } from '../../server/src/kernel/clock.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import { type DisableCommand, disableSenders } from '../../server/src/senders/disable.ts';
import { putSenders, type SenderCommand } from '../../server/src/senders/put.ts';
import { ids, settingsFor, startEdge } from '../http/edge.ts';
import { PERSON } from '../support/senders.ts';
import type { Answer, SignedCaller } from '../support/signed-caller.ts';

export function runner<Command extends { call: { accountId: string } }, Result>(
  name: string,
  work: BatchWork<Command, Result>,
): (command: Command) => Promise<Result> {
  const tenantOf = (command: Command) => command.call.accountId;
  const pause = (delayMs: number) => sleep(delayMs);
  const batches = new BatchRunner({ name, lanes: 2, maxCommands: 64, tenantOf, oneTenant: false, pause }, work);
  return (command) => batches.submit(command);
}

export function startSenderEdge(db: Database, clock?: Clock) {
  const ctx = { db, ids, settings: settingsFor({}), files: pgFileStore };
  const operations = {
    put: runner('put_senders', (commands: readonly SenderCommand[]) => putSenders(ctx, commands)),
    disable: runner('disable_senders', (commands: readonly DisableCommand[]) => disableSenders(ctx, commands)),
    create: runner('create_documents', (commands: readonly CreateDocumentCommand[]) => createDocuments(ctx, commands)),
  };
  const routes = [senderRoutes(ctx, operations), documentRoutes(ctx, operations)];
  return startEdge({ db, routes, ...(clock && { clock }) });
}

interface Body {
  readonly object: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, readonly { error: string }[]>>;
  readonly meta: Readonly<Record<string, never>>;
}

/** The parts of an answer, for tests that read them by name. */
export function bodyOf({ body }: Answer): Body {
  return body as Body;
}

/** What a 422 says, as `path: word`. */
export function refusalsIn(answer: Answer): string[] {
  expect(answer.status, answer.text).toBe(422);
  return Object.entries(bodyOf(answer).errors).flatMap(([path, list]) => list.map(({ error }) => `${path}: ${error}`));
}

/** A new sender that must be taken; its view. */
export async function createSender(caller: SignedCaller, fields: object = {}) {
  const answer = await caller.post('/v1/senders', { sender: { ...PERSON, ...fields } });
  expect(answer.status, answer.text).toBe(200);
  return { ...bodyOf(answer).object, id: String(bodyOf(answer).object['id']) };
}

/** Every row that a request could have left behind. */
export async function rowsOf(db: Database, accountId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ['senders', 'external_ids', 'documents', 'file_contents', 'events']) {
    const rows = await db.query<{ count: bigint }>(
      `select count(*) as count from ${table} where account_id = $1::uuid`,
      [accountId],
    );
    counts[table] = Number(rows[0]?.count);
  }
  return counts;
}

export const NO_ROWS = { senders: 0, external_ids: 0, documents: 0, file_contents: 0, events: 0 };
