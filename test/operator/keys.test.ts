/** `key create|list|revoke` through the operator listener. */
import { describe, expect, it } from 'vitest';
import { MAX_GOOD_KEYS, openSecret } from '../../server/src/accounts/keys.ts';
import { at, auditEntries, createPlainAccount, startOperatorService, textAt } from './support.ts';

describe('API keys', async () => {
  const service = await startOperatorService({ mode: 'live', flags: { masterKeyPrevious: '08'.repeat(32) } });
  const { call, db, ctx } = service;
  const create = (id: string, body: unknown, commandId?: string) =>
    call('POST', `/operator/accounts/${id}/keys`, body, commandId === undefined ? {} : { commandId });

  it('a secret is shown once, when the key is made, and stored sealed', async () => {
    const id = await createPlainAccount(service);
    const made = await create(id, { label: 'web shop' });
    expect(made.status).toBe(201);
    const secret = textAt(made.body, 'secret');
    const key = textAt(made.body, 'key', 'key');
    expect(secret).toMatch(/^[0-9a-f]{64}$/);

    expect(await db.inTx((tx) => openSecret(tx, ctx.seal, key))).toBe(secret);
    const [row] = await db.query<{ secret: Buffer }>('select secret from api_keys where key = $1', [key]);
    expect(Buffer.from(row?.secret ?? []).includes(Buffer.from(secret))).toBe(false);

    const listed = await call('GET', `/operator/accounts/${id}/keys`);
    expect(at(listed.body, 'keys')).toHaveLength(2);
    expect(at(listed.body, 'keys')).toContainEqual(at(made.body, 'key'));
    const entries = await auditEntries(service, `&subject=${key}`);
    expect(entries).toMatchObject([
      { action: 'key.create', before: null, after: { account_id: id, label: 'web shop' } },
    ]);
    expect(JSON.stringify([listed.body, entries])).not.toContain(secret);
  });

  it('made again under the same command id it is the same key, without its secret', async () => {
    const id = await createPlainAccount(service);
    const commandId = ctx.ids.next();
    const first = await create(id, { label: 'a' }, commandId);
    const second = await create(id, { label: 'a' }, commandId);
    expect(at(second.body, 'key')).toEqual(at(first.body, 'key'));
    expect(at(second.body, 'secret')).toBeNull();
    expect((await create(id, { label: 'b' }, commandId)).body).toMatchObject({ error: 'command_id_taken' });
  });

  it('a revoked key stays in the list, is told about at once, and cannot be revoked twice', async () => {
    const id = await createPlainAccount(service);
    const key = textAt((await create(id, {})).body, 'key', 'key');
    const revoked = await call('DELETE', `/operator/keys/${key}`);
    expect(revoked.status).toBe(200);
    expect(at(revoked.body, 'key', 'revoked_at')).toBe('2026-11-16T09:00:00.000Z');
    expect(service.revokedKeys).toContain(key);
    expect(at((await call('GET', `/operator/accounts/${id}/keys`)).body, 'keys')).toContainEqual(
      at(revoked.body, 'key'),
    );
    const [entry] = await auditEntries(service, `&subject=${key}`);
    expect(entry).toMatchObject({ action: 'key.revoke', before: { revoked_at: null } });
    expect(at(entry, 'after')).toEqual(at(revoked.body, 'key'));
    expect(await call('DELETE', `/operator/keys/${key}`)).toMatchObject({
      status: 422,
      body: { error: 'already_revoked' },
    });
  });

  it('revoking is answered the same when it is repeated under its command id', async () => {
    const id = await createPlainAccount(service);
    const key = textAt((await create(id, {})).body, 'key', 'key');
    const commandId = ctx.ids.next();
    const first = await call('DELETE', `/operator/keys/${key}`, undefined, { commandId });
    const second = await call('DELETE', `/operator/keys/${key}`, undefined, { commandId });
    expect(second).toMatchObject({ status: 200, body: Object(first.body) });
  });

  it('an account has a bounded number of good keys', async () => {
    const id = await createPlainAccount(service);
    await db.execute(
      `insert into api_keys (key, account_id, secret, label, created_at)
       select 'filler' || n, $1::uuid, '', '', $2::timestamptz from generate_series(2, $3::integer) n`,
      [id, ctx.clock.now(), MAX_GOOD_KEYS],
    );
    expect((await create(id, {})).body).toMatchObject({ error: 'too_many_keys' });
    await call('DELETE', '/operator/keys/filler2');
    expect((await create(id, {})).status).toBe(201);
    expect((await create(id, {})).body).toMatchObject({ error: 'too_many_keys' });
    // One that was replaced is good no more from the moment on at which its overlap is over.
    await db.execute("update api_keys set valid_until = $1 where key = 'filler3'", [ctx.clock.now()]);
    expect((await create(id, {})).status).toBe(201);
  });

  it.each([
    ['GET', '/operator/accounts/01999999-0000-7000-8000-000000000000/keys', undefined, 'account_not_found'],
    ['POST', '/operator/accounts/01999999-0000-7000-8000-000000000000/keys', {}, 'account_not_found'],
    ['DELETE', '/operator/keys/pf_unknown', undefined, 'key_not_found'],
    ['DELETE', `/operator/keys/${'%21'.repeat(100)}`, undefined, 'key_not_found'],
    ['DELETE', '/operator/keys/a%00b', undefined, 'not_found'],
  ])('%s %s is 404', async (method, path, body, error) => {
    expect(await call(method, path, body)).toMatchObject({ status: 404, body: { error } });
  });

  it('are stored anew under the master key, each as it was, and what does not open is named', async () => {
    const id = await createPlainAccount(service);
    const made = (await create(id, {})).body;
    const key = textAt(made, 'key', 'key');
    const sealed = () => db.query<{ secret: Buffer }>('select secret from api_keys where key = $1', [key]);
    const [before] = await sealed();
    await db.execute(`update api_keys set secret = '\\x00' where key = 'filler3'`);
    const commandId = ctx.ids.next();
    const answer = await call('POST', '/operator/keys/reseal', undefined, { commandId });
    expect(answer).toMatchObject({
      status: 200,
      body: { resealed: { unopened: expect.arrayContaining(['filler3']) } },
    });
    const [after] = await sealed();
    expect(after).not.toEqual(before);
    expect(await db.inTx((tx) => openSecret(tx, ctx.seal, key))).toBe(textAt(made, 'secret'));
    expect((await call('POST', '/operator/keys/reseal', undefined, { commandId })).body).toEqual(answer.body);
  });
});

it('secrets are not stored anew by a process that has one master key, which may be the old one', async () => {
  const { call } = await startOperatorService();
  expect(await call('POST', '/operator/keys/reseal')).toMatchObject({
    status: 422,
    body: { error: 'nothing_to_reseal' },
  });
});
