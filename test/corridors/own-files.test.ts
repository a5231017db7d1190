/** An operator's own corridor, by the steps of docs/add-a-corridor.md, and the other settings about files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openCatalogue } from '../../server/src/compose/open-catalogue.ts';
import { exampleRequest } from '../../server/src/corridors/example-request.ts';
import { CatalogueInvalid } from '../../server/src/corridors/mistakes.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { settingsFor } from '../http/edge.ts';
import { runCli } from '../operator/run-cli.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOfPayout, OBI } from '../support/payout.ts';

const page = readFileSync(new URL('../../docs/add-a-corridor.md', import.meta.url), 'utf8');
const madeUp = present(/```json\n([\s\S]*?)```/.exec(page)?.[1], 'the corridor of the page');
const directory = await mkdtemp(join(tmpdir(), 'payferry-corridors-'));
afterAll(() => rm(directory, { recursive: true, force: true }));
mkdirSync(join(directory, 'payout'));
const file = join(directory, 'payout', 'aed-bank.json');
writeFileSync(file, madeUp);

const { db } = await freshDatabase();
const flags = {
  corridorsDirectory: directory,
  corridorsVariants: 'payout/ngn-bank=published',
  corridorsOperatorsOfFives: 'SN/wave',
};
const app = await startApp({ db, flags });
const { caller } = await app.newAccount();
const calculate = (body: unknown) => caller.post('/v1/transactions/calculate', body);

describe('a made-up corridor in a directory of the operator', () => {
  it('is found right by the command that checks one file', async () => {
    expect(await runCli(['corridor', 'check', file])).toEqual({
      code: 0,
      stdout: `${file} is right: AED::Bank\n`,
      stderr: '',
    });
  });

  it.each(['person', 'business'] as const)('pays a %s, each way', async (recipient) => {
    const corridor = app.ctx.catalogue.mustPayout('AED::Bank');
    for (const way of [0, 1]) {
      const answer = await calculate(exampleRequest(corridor, recipient, { way }));
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject({
        object: { recipients: [{ output_currency: 'AED', output_amount: 367.25 }] },
      });
    }
  });

  it('refuses what its file refuses, and shows the fields of the file', async () => {
    const corridor = app.ctx.catalogue.mustPayout('AED::Bank');
    const details = { first_name: 'Maryam', iban: 'AE070331234567890123457', emirate: 'DU' };
    const recipients = [
      { requested_amount: 1, requested_currency: 'USD', payout_method: { type: 'AED::Bank', details } },
    ];
    const { transaction } = exampleRequest(corridor, 'person');
    const answer = await calculate({ transaction: { ...transaction, recipients } });
    const at = 'recipients.0.payout_method.details';
    expect(answer.body).toMatchObject({
      errors: {
        [`${at}.last_name`]: [{ error: 'blank' }],
        [`${at}.phone_number`]: [{ error: 'blank' }],
        [`${at}.iban`]: [{ error: 'invalid' }],
        [`${at}.free_zone`]: [{ error: 'blank' }],
      },
      object: { recipients: [{ payout_method: { fields: { emirate: { options: { AZ: 'Abu Dhabi' } } } } }] },
    });
  });

  it('is listed among the ways in which somebody can be paid', async () => {
    const answer = await caller.get('/v1/info/payment_methods/out');
    expect(answer.body).toMatchObject({
      object: expect.arrayContaining([expect.objectContaining({ type: 'AED::Bank' })]),
    });
  });
});

describe('the published file of NGN::Bank', () => {
  it('takes its own fields and codes when the operator chose it', async () => {
    const details = { ...OBI.details, bank_code: '044', street: '1 Marina Road' };
    const recipient = { payout_method: { type: 'NGN::Bank', details } };
    expect((await calculate(bodyOfPayout({ recipient }))).status).toBe(200);
    const { street: _street, ...without } = details;
    const refused = await calculate(
      bodyOfPayout({ recipient: { payout_method: { type: 'NGN::Bank', details: without } } }),
    );
    expect(refused.body).toMatchObject({
      errors: { 'recipients.0.payout_method.details.street': [{ error: 'blank' }] },
    });
  });
});

describe('the settings of the corridor files', () => {
  it('name further operators that pay multiples of five', () => {
    const corridor = app.ctx.catalogue.mustPayout('XOF::Mobile');
    expect(corridor.outputStepMinor({ country: 'SN', mobile_provider: 'wave' })).toBe(5n);
    expect(corridor.outputStepMinor({ country: 'SN', mobile_provider: 'orange' })).toBeUndefined();
  });

  it.each([
    { corridorsDirectory: join(directory, 'nowhere') },
    { corridorsVariants: 'payout/ngn-bank=improved' },
    { corridorsOperatorsOfFives: 'CM/wave' },
  ])('stop the start when they name what is not there: %o', (wrong) => {
    expect(() => openCatalogue(settingsFor(wrong))).toThrow(CatalogueInvalid);
  });
});
