/** Every payout type through the API: what is needed is refused by name when it is missing, and lists are enforced. */
import { describe, expect, it } from 'vitest';
import type { Details, RuleSet } from '../../server/src/corridors/corridor.ts';
import type { ExampleOptions } from '../../server/src/corridors/example.ts';
import { exampleRequest } from '../../server/src/corridors/example-request.ts';
import { holds } from '../../server/src/corridors/rule.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount();

const cases = app.ctx.catalogue
  .payouts()
  .filter(({ kind }) => kind !== 'balance')
  .flatMap((corridor) =>
    corridor.recipientTypes.flatMap((recipientType) => {
      const rules = corridor.rules(recipientType);
      return variantsOf(rules).map((options) => ({
        name: [corridor.type, recipientType, options.given?.['country'], options.way ? `way ${options.way}` : undefined]
          .filter(Boolean)
          .join(' '),
        corridor,
        recipientType,
        rules,
        options: { ...options, optional: true },
      }));
    }),
  );

/** The ways of its choices; and, where fields depend on the country, each country that it has a list for. */
function variantsOf({ rules, choices }: RuleSet): ExampleOptions[] {
  const ways = Math.max(1, ...choices.map((choice) => choice.ways.length));
  const byCountry = rules.some(({ when }) => when?.has('country') === true);
  const countries = byCountry ? [...(rules.find(({ name }) => name === 'country')?.options?.keys() ?? [])] : [];
  const given = countries.length === 0 ? [{}] : countries.map((country) => ({ given: { country } }));
  return given.flatMap((one) => Array.from({ length: ways }, (_, way) => ({ ...one, way })));
}

/** The words about one detail when the request is sent with these. */
async function wordsAbout(request: ReturnType<typeof exampleRequest>, details: Details, name: string) {
  const [recipient] = request.transaction.recipients;
  const recipients = [{ ...recipient, payout_method: { ...recipient?.payout_method, details } }];
  const answer = await caller.post('/v1/transactions/calculate', {
    transaction: { ...request.transaction, recipients },
  });
  const errors: unknown = Object(answer.body).errors;
  const list: unknown = Object(errors)[`recipients.0.payout_method.details.${name}`];
  return { status: answer.status, words: Array.isArray(list) ? list.map(({ error }) => error) : [] };
}

describe.each(cases)('$name', ({ corridor, recipientType, rules, options }) => {
  const request = exampleRequest(corridor, recipientType, options);
  const details = request.transaction.recipients[0]?.payout_method.details ?? {};
  const scope = rules.scopeOf(details);
  const applying = rules.rules.filter(
    ({ name, when }) => Object.hasOwn(details, name) && (when === undefined || holds(when, scope)),
  );

  it('is accepted with all of its fields', async () => {
    const answer = await caller.post('/v1/transactions/calculate', request);
    expect(answer.status, answer.text).toBe(200);
  });

  it('is refused by name for each needed field that is missing', async () => {
    const needed = applying.filter(({ required }) => required).map(({ name }) => name);
    expect(needed.length).toBeGreaterThan(0);
    for (const name of needed) {
      const { [name]: _left, ...others } = details;
      expect(await wordsAbout(request, others, name), name).toEqual({ status: 422, words: ['blank'] });
    }
  });

  it('takes no value that is not in the list of a field', async () => {
    for (const { name } of applying.filter((rule) => rule.options !== undefined)) {
      const given = { ...details, [name]: 'no such code' };
      expect(await wordsAbout(request, given, name), name).toEqual({ status: 422, words: ['not_in_list'] });
    }
  });
});
