/** The description of the operator API: every route is in it, as it is, and the listener itself names them. */
import { describe, expect, it } from 'vitest';
import { OPERATOR_REFUSALS } from '../../server/src/accounts/operator-refusals.ts';
import { OPERATION_GROUPS } from '../../server/src/operator/operations.ts';
import { operatorPage } from '../../server/src/operator/page.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';
import { operatorRoutes } from '../support/operator-routes.ts';
import { startOperatorService } from './support.ts';

const routes = operatorRoutes();
const page = operatorPage(routes);
const { call } = await startOperatorService();

describe('docs/operator-api.md', () => {
  it('is what the code generates; `npm run docs` brings it up to date', () => {
    expect(readDocument('docs/operator-api.md')).toBe(page);
    expect(page.split('\n', 1)[0]).toMatch(/Generated .*`npm run docs`/);
  });

  it('has a line of purpose for every route, and only for those that there are', () => {
    const described = OPERATION_GROUPS.flatMap(({ summaries }) => Object.keys(summaries));
    expect(described.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
    expect(new Set(described).size).toBe(described.length);
  });

  it('shows the fields that a request takes, which of them may be left out, and what they look like', () => {
    const [, created = ''] = page.split('### POST /operator/accounts\n');
    expect(created).toMatch(/^\nMakes an account .*\n\nBody:\n\n- `name`: text of at most \d+ characters\n/);
    expect(created).toContain('- `wtr2` (optional): `true` or `false`\n');
    const [, listed = ''] = page.split('### GET /operator/attention\n');
    expect(listed).toMatch(/Query:\n\n- `state` \(optional\): one of `\w+`, .*\n- `account_id` \(optional\): a UUID\n/);
  });

  it('shows no pattern to anybody: each form has its words', () => {
    expect(page).not.toMatch(/\[[0-9A-Za-z]-|\{\d/);
  });

  it('shows both forms of a body that has two', () => {
    const [, sent = ''] = page.split('/redeliveries\n');
    expect(sent).toMatch(/Either\n\n- `event_id`: a UUID[\s\S]*?\n\nOr\n\n- `from`: /);
  });

  it('names every refusal with the status that it is answered with', async () => {
    const { rows } = tableUnder(page, 'Refusals');
    expect(rows.map(([code]) => code)).toEqual(Object.keys(OPERATOR_REFUSALS));
    const answer = await call('GET', '/operator/accounts/00000000-0000-7000-8000-000000000000');
    expect(rows.find(([code]) => code === 'account_not_found')?.[1]).toBe(String(answer.status));
  });
});

describe('GET /operator', () => {
  it('names the program, its version and every route, for whoever opens the address that a start prints', async () => {
    const answer = await call('GET', '/operator');
    const { version } = JSON.parse(readDocument('package.json'));
    expect(answer).toMatchObject({
      status: 200,
      body: { name: 'payferry', version, description: 'docs/operator-api.md' },
    });
    const told = Object(answer.body).routes;
    expect(told).toHaveLength(routes.length);
    expect(told).toContainEqual({ method: 'GET', path: '/operator/reviews', summary: expect.stringMatching(/\.$/) });
  });

  it('asks for a token as every other route does', async () => {
    expect(await call('GET', '/operator', undefined, { token: null })).toMatchObject({ status: 401 });
  });
});
