/** A first start that is given the credentials of its account. */
import { expect, it } from 'vitest';
import { signedCaller } from '../../support/signed-caller.ts';
import { openPrograms } from '../programs.ts';

const programs = openPrograms();

it('preset credentials work, so that nobody has to read them from the output', async () => {
  const preset = { PAYFERRY_API_KEY: 'key-of-the-ci-job', PAYFERRY_API_SECRET: 'secret-of-the-ci-job' };
  const program = await programs.start(await programs.newDirectory(), { env: preset });
  const credentials = { key: 'key-of-the-ci-job', secret: 'secret-of-the-ci-job' };
  const caller = signedCaller({ baseUrl: program.access.url, ...credentials });
  expect(await caller.get('/v1/accounts')).toMatchObject({ status: 200 });
  caller.close();
  expect(await program.stop()).toBe(0);
});
