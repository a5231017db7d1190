/** The requests of docs/collections.md, run as they stand there, by one new account. */
import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { readDocument } from '../support/markdown.ts';
import { toldRequests } from './told-requests.ts';

const app = await startApp(await freshDatabase());
const { caller } = await app.newAccount();

it('a collection is made, paid a second later, and found as paid', async () => {
  const states: unknown[] = [];
  for (const { status, method, path, body } of toldRequests(readDocument('docs/collections.md'))) {
    const answer = await caller.send(method, path, undefined, body === '' ? {} : { rawBody: body });
    expect(answer.status, answer.text).toBe(status);
    const { object } = Object(answer.body);
    states.push(Object(Array.isArray(object) ? object[0] : object).state);
    await app.engine.travel(1_000);
  }
  expect(states).toEqual(['approved', 'paid']);
});
