/** `operator create|list|revoke` through the operator listener, and the token of the first operator. */
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nextOperatorFile, operatorFile, readOperatorAccess } from '../../server/src/operator/local-files.ts';
import { keepLocalToken } from '../../server/src/operator/local-token.ts';
import { freshDatabase } from '../support/database.ts';
import { addOperator, at, auditEntries, contextOn, startOperatorService, textAt } from './support.ts';

describe('operators', async () => {
  const service = await startOperatorService();
  const { call } = service;

  it('a token is shown once, works, and only its hash is stored', async () => {
    const made = await call('POST', '/operator/operators', { name: 'grace' });
    expect(made.status).toBe(201);
    const token = textAt(made.body, 'token');
    expect((await call('GET', '/operator/operators', undefined, { token })).status).toBe(200);
    const listed = await call('GET', '/operator/operators');
    expect(at(listed.body, 'operators')).toContainEqual(at(made.body, 'operator'));
    const stored = await service.db.query('select encode(token_hash, $1) as hash, name from operators', ['escape']);
    const entries = await auditEntries(service, '&subject=grace');
    expect(entries).toMatchObject([{ operator: 'ada', action: 'operator.create', after: { name: 'grace' } }]);
    expect(JSON.stringify([listed.body, entries, stored])).not.toContain(token);
  });

  it('what an operator does is told under the name of that operator', async () => {
    const token = textAt((await call('POST', '/operator/operators', { name: 'linus' })).body, 'token');
    await call('PUT', '/operator/rates/EUR', { value: '0.9' }, { token });
    expect((await auditEntries(service, '&action=rate.set'))[0]).toMatchObject({ operator: 'linus', subject: 'EUR' });
  });

  it('a revoked token is refused from then on, and its name stays taken', async () => {
    const token = textAt((await call('POST', '/operator/operators', { name: 'gone' })).body, 'token');
    expect((await call('DELETE', '/operator/operators/gone')).status).toBe(200);
    expect((await call('GET', '/operator/operators', undefined, { token })).status).toBe(401);
    expect((await call('POST', '/operator/operators', { name: 'gone' })).body).toMatchObject({ error: 'name_taken' });
    expect((await call('DELETE', '/operator/operators/gone')).body).toMatchObject({ error: 'already_revoked' });
  });

  it('the command id of one operator is of no use to another', async () => {
    const token = textAt((await call('POST', '/operator/operators', { name: 'eve' })).body, 'token');
    const commandId = service.ctx.ids.next();
    await call('POST', '/operator/accounts', { name: 'Acme' }, { commandId });
    const answer = await call('POST', '/operator/accounts', { name: 'Acme' }, { commandId, token });
    expect(answer).toMatchObject({ status: 422, body: { error: 'command_id_taken' } });
  });

  it('creating one again under the same command id shows no token', async () => {
    const commandId = service.ctx.ids.next();
    await call('POST', '/operator/operators', { name: 'twice' }, { commandId });
    const second = await call('POST', '/operator/operators', { name: 'twice' }, { commandId });
    expect(second).toMatchObject({ status: 201, body: { operator: { name: 'twice' }, token: null } });
  });

  it.each([
    ['system', 'name_reserved'],
    ['ada', 'name_taken'],
    ['', 'invalid'],
    ['two words', 'invalid'],
    ['x'.repeat(101), 'invalid'],
  ])('the name "%s" is refused with %s', async (name, error) => {
    expect(await call('POST', '/operator/operators', { name })).toMatchObject({ status: 422, body: { error } });
  });

  it('somebody who does not exist cannot be revoked', async () => {
    expect(await call('DELETE', '/operator/operators/nobody')).toMatchObject({
      status: 404,
      body: { error: 'operator_not_found' },
    });
  });
});

it('the last operator cannot be revoked, also when two go for the last two at once', async () => {
  const service = await startOperatorService();
  const token = textAt((await service.call('POST', '/operator/operators', { name: 'bob' })).body, 'token');
  const answers = await Promise.all([
    service.call('DELETE', '/operator/operators/bob'),
    service.call('DELETE', '/operator/operators/ada', undefined, { token }),
  ]);
  const statuses = answers.map((answer) => answer.status).sort();
  // The one whose token was revoked a moment earlier may also be turned away at the door.
  expect([
    [200, 401],
    [200, 422],
  ]).toContainEqual(statuses);
  const good = await service.db.query('select name from operators where revoked_at is null');
  expect(good).toHaveLength(1);
});

describe('the token of the first operator', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'payferry-operator-'));
  afterAll(() => rm(directory, { recursive: true, force: true }));
  const { db } = await freshDatabase();
  const { ctx } = contextOn(db);
  const keep = (isDatabaseOurs: boolean, url = 'http://127.0.0.1:1') =>
    keepLocalToken(ctx, { dataDir: directory, url, isDatabaseOurs });

  it('is made at the first start, for the eyes of its owner only', async () => {
    expect(await keep(true)).toBe(true);
    const access = await readOperatorAccess(directory);
    expect(access).toMatchObject({ url: 'http://127.0.0.1:1' });
    expect((await stat(operatorFile(directory))).mode & 0o777).toBe(0o600);
    const rows = await db.query('select operator, action, subject from audit_log');
    expect(rows).toEqual([{ operator: 'system', action: 'operator.create', subject: 'local' }]);
  });

  it('is found again when the process died before it was put in its place, also on a shared database', async () => {
    const before = await readOperatorAccess(directory);
    await rename(operatorFile(directory), nextOperatorFile(directory));
    expect(await keep(false)).toBe(true);
    expect(await readOperatorAccess(directory)).toEqual(before);
    expect(await readdir(directory)).toEqual(['operator.json']);
  });

  it('is kept at the next start, with the new address', async () => {
    const before = await readOperatorAccess(directory);
    expect(await keep(true, 'http://127.0.0.1:2')).toBe(true);
    expect(await readOperatorAccess(directory)).toEqual({ url: 'http://127.0.0.1:2', token: before?.token });
  });

  it('is replaced when its file is lost and the database is ours; on a shared database it is not', async () => {
    const before = await readOperatorAccess(directory);
    await writeFile(operatorFile(directory), '{"broken');
    expect(await keep(false)).toBe(false);
    expect(await readFile(operatorFile(directory), 'utf8')).toBe('{"broken');
    expect(await readdir(directory)).toEqual(['operator.json']);
    expect(await keep(true)).toBe(true);
    const after = await readOperatorAccess(directory);
    expect(after?.token).not.toBe(before?.token);
  });

  it('does not come back by a restart when an operator revoked it', async () => {
    await addOperator(ctx, 'other');
    await db.execute(`update operators set revoked_at = $1 where name = 'local'`, [ctx.clock.now()]);
    expect(await keep(true)).toBe(false);
  });
});

it('no operator is left without a token where the directory takes no files', async () => {
  const { db } = await freshDatabase();
  const { ctx } = contextOn(db);
  const input = { dataDir: '/proc', url: 'http://127.0.0.1:1', isDatabaseOurs: false };
  await expect(keepLocalToken(ctx, input)).rejects.toThrow('cannot be used');
  expect(await db.query('select name from operators')).toEqual([]);
});
