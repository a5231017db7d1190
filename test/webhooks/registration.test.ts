/** /v1/webhooks: where events go, through HTTP with real signatures. */
import { describe, expect, it } from 'vitest';
import { deleteWebhooks } from '../../server/src/webhooks/delete-webhooks.ts';
import { EVENT_NAMES } from '../../server/src/webhooks/events.ts';
import { MAX_ENABLED_WEBHOOKS } from '../../server/src/webhooks/webhook.ts';
import { startApp } from '../support/app.ts';
import { newCall } from '../support/commands.ts';
import { freshDatabase } from '../support/database.ts';
import { idIn, register } from '../support/deliveries.ts';
import { countRows, difference } from '../support/rows.ts';
import { runAgain } from '../support/run-again.ts';
import { wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const live = await startApp({ db, flags: { mode: 'live', publicUrl: 'https://pay.example.com' } });
const URL = 'http://127.0.0.1:9/hooks';
const webhook = { url: URL, events: ['transaction.paid_in', 'recipient.error'], metadata: { team: 'ops' } };

describe('a webhook', () => {
  it('is registered, read, listed and deleted', async () => {
    const { caller } = await app.newAccount();
    const made = await caller.post('/v1/webhooks', { webhook });
    const shown = {
      id: idIn(made),
      ...webhook,
      state: 'enabled',
      state_reason: null,
      created_at: app.clock.now().toISOString(),
    };
    expect(made).toMatchObject({ status: 200, body: { object: shown } });
    expect((await caller.get(`/v1/webhooks/${shown.id}`)).body).toEqual({ object: shown });
    app.clock.advance(1);
    const second = await register(caller, URL, ['sender.approved']);
    const list = await caller.get('/v1/webhooks?per=1');
    expect(list.body).toMatchObject({
      object: [{ id: second }],
      meta: { pagination: { total_count: 2, next_page: 2 } },
    });
    expect((await caller.delete(`/v1/webhooks/${shown.id}`)).body).toEqual({ object: shown });
    expect((await caller.get(`/v1/webhooks/${shown.id}`)).status).toBe(404);
    expect((await caller.delete(`/v1/webhooks/${shown.id}`)).status).toBe(404);
    expect((await caller.get('/v1/webhooks')).body).toMatchObject({ meta: { pagination: { total_count: 1 } } });
  });

  it('is deleted once: when the answer is lost, the call that did it is told so, and the one that did not is not', async () => {
    const { accountId, caller } = await app.newAccount();
    const webhookId = await register(caller, URL, ['sender.approved']);
    const remove = async () => {
      const run = runAgain(app.ctx, deleteWebhooks, { losses: ['happened'] });
      return (await run({ call: newCall(app.ctx, accountId), webhookId })).kind;
    };
    expect([await remove(), await remove()]).toEqual(['deleted', 'unknown']);
  });

  it('is deleted by one of the calls that come together, in one batch or in two', async () => {
    const { accountId, caller } = await app.newAccount();
    const webhookId = await register(caller, URL, ['sender.approved']);
    const batch = () => [1, 2, 3].map(() => ({ call: newCall(app.ctx, accountId), webhookId }));
    const answers = await Promise.all([deleteWebhooks(app.ctx, batch()), deleteWebhooks(app.ctx, batch())]);
    const kinds = answers.flat().map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['deleted', ...Array.from({ length: 5 }, () => 'unknown')]);
  });

  it('can ask for every event that the service names', async () => {
    const { caller } = await app.newAccount();
    const names = (await caller.get('/v1/webhooks/events')).body;
    expect(names).toEqual({ object: EVENT_NAMES });
    await register(caller, URL, [...EVENT_NAMES]);
  });

  it('can ask for published names that nothing sends, and keeps them as it asked', async () => {
    const { caller } = await app.newAccount();
    const events = ['transaction.paid_out', 'transaction.error', 'transaction.paid'];
    const made = await caller.post('/v1/webhooks', { webhook: { url: URL, events } });
    expect(made).toMatchObject({ status: 200, body: { object: { events } } });
  });

  it('that asks twice for an event has it once', async () => {
    const { caller } = await app.newAccount();
    const made = await caller.post('/v1/webhooks', {
      webhook: { url: URL, events: ['recipient.error', 'recipient.error'] },
    });
    expect(made.body).toMatchObject({ object: { events: ['recipient.error'], metadata: {} } });
  });

  it('of another account does not exist', async () => {
    const [one, other] = [await app.newAccount(), await app.newAccount()];
    const id = await register(one.caller, URL, ['recipient.error']);
    expect((await other.caller.get(`/v1/webhooks/${id}`)).status).toBe(404);
    expect((await other.caller.delete(`/v1/webhooks/${id}`)).status).toBe(404);
    expect((await one.caller.get(`/v1/webhooks/${id}`)).status).toBe(200);
  });
});

describe('a webhook is refused', () => {
  it.each([
    ['without anything', undefined, ['webhook: blank']],
    ['as a text', 'http://a.example', ['webhook: invalid']],
    ['without fields', {}, ['url: blank', 'events: blank']],
    ['without events', { url: URL, events: [] }, ['events: blank']],
    ['with an unknown event', { url: URL, events: ['transaction.gone'] }, ['events: not_in_list']],
    ['with one name in place of a list', { url: URL, events: 'recipient.error' }, ['events: invalid']],
    ['with an address that is none', { ...webhook, url: 'not an address' }, ['url: invalid']],
    ['with another scheme', { ...webhook, url: 'ftp://a.example/' }, ['url: invalid']],
    ['with credentials in the address', { ...webhook, url: 'http://u:p@a.example/' }, ['url: credentials_in_address']],
    ['with an address that is too long', { ...webhook, url: `${URL}${'x'.repeat(2_048)}` }, ['url: too_large']],
    ['with metadata that is no object', { ...webhook, metadata: [1] }, ['metadata: invalid']],
  ])('%s', async (_, body, words) => {
    const { caller, accountId } = await app.newAccount();
    expect(wordsIn(await caller.post('/v1/webhooks', { webhook: body }))).toEqual(words);
    expect(await db.query('select 1 from webhooks where account_id = $1', [accountId])).toEqual([]);
  });

  it('in live mode without https, or where it leads to no public place', async () => {
    const { caller } = await live.newAccount();
    const refused = async (url: string) =>
      wordsIn(
        await caller.post(
          '/v1/webhooks',
          { webhook: { ...webhook, url } },
          { signedUrl: 'https://pay.example.com/v1/webhooks' },
        ),
      );
    expect(await refused('http://hooks.example.com/')).toEqual(['url: https_required']);
    expect(await refused('https://127.0.0.1/')).toEqual(['url: not_public']);
    expect(await refused('https://10.0.0.1/')).toEqual(['url: not_public']);
  });

  it('when the account has as many as it may; a deleted one makes room', async () => {
    const { caller } = await app.newAccount();
    const ids = await Promise.all(
      Array.from({ length: MAX_ENABLED_WEBHOOKS }, () => register(caller, URL, ['recipient.error'])),
    );
    expect(wordsIn(await caller.post('/v1/webhooks', { webhook }))).toEqual(['base: too_many_webhooks']);
    await caller.delete(`/v1/webhooks/${ids[0]}`);
    expect((await caller.post('/v1/webhooks', { webhook })).status).toBe(200);
  });
});

it('a call that is refused leaves nothing but its nonce', async () => {
  const { caller } = await app.newAccount();
  const before = await countRows(db);
  await caller.post('/v1/webhooks', { webhook: { url: URL, events: ['x'] } });
  expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
});
