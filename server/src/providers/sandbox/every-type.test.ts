/** Every corridor can carry every trigger: the details that ask for it pass the corridor's own validation. */
import { describe, expect, it } from 'vitest';
import { anOrder, patience } from '../../../../test/providers/orders.ts';
import { manualClock, NOON } from '../../../../test/support/manual-clock.ts';
import { loadCatalogue } from '../../corridors/catalogue.ts';
import { checkDetails } from '../../corridors/check-details.ts';
import type { Details } from '../../corridors/corridor.ts';
import { exampleFor } from '../../corridors/example.ts';
import { ENDING_TABLES } from './endings.ts';
import { SandboxProvider } from './provider.ts';
import { storyOfCode, WORDS } from './stories.ts';
import { storyOf } from './story-of.ts';

const CODES = ['0', '14', '21', '3', '416', '511', '999'];
/** The example of the corridor is a number of its other country. */
const NUMBER_IN_GABON = '+24174709400';
const catalogue = loadCatalogue();
/** The balances of all currencies share one file: the euro stands for them. */
const corridors = catalogue.payouts().filter(({ kind, currency }) => kind !== 'balance' || currency === 'EUR');
const cases = corridors.flatMap((corridor) =>
  corridor.recipientTypes.map((recipientType) => ({ type: corridor.type, corridor, recipientType })),
);

/** The name of the recipient, in the fields that the corridor has for it. */
function asking(example: Details, word: string): Details {
  if ('last_name' in example) return { ...example, first_name: 'Sandbox', last_name: word };
  return { ...example, ['name' in example ? 'name' : 'reference']: `Sandbox ${word}` };
}

it('covers every file of the catalogue', () => {
  expect(new Set(cases.map(({ corridor }) => corridor.facts.file)).size).toBe(37);
});

describe('every trigger is accepted and does what it says', () => {
  it.each(cases)('for $type, $recipientType', ({ corridor, recipientType }) => {
    const example = exampleFor(corridor, recipientType, { optional: true });
    for (const word of [...WORDS.map((row) => row.word), ...CODES]) {
      const checked = checkDetails(corridor, recipientType, asking(example, word));
      expect(checked.refusals, word).toEqual([]);
      const order = anOrder({ payoutType: corridor.type, recipientType, details: checked.details });
      const asked = WORDS.find((row) => row.word === word)?.story(order, false) ?? storyOfCode(word, order);
      expect(storyOf(order, false), word).toEqual(asked);
    }
  });
});

describe.each(
  ENDING_TABLES.map((table) => ({
    table,
    name: [table.payoutType, table.only?.value].filter(Boolean).join(' '),
  })),
)('the published endings of $name', ({ table }) => {
  const { payoutType, field, only, endings } = table;
  const corridor = catalogue.payout(payoutType);
  const provider = new SandboxProvider({ name: 'sandbox', clock: manualClock(NOON), latencyMs: () => 0 });

  function withEnding(ending: string): Details {
    if (corridor === undefined) return {};
    const example = exampleFor(corridor, 'person', { given: only === undefined ? {} : { [only.field]: only.value } });
    const number = only?.value === 'GA' ? NUMBER_IN_GABON : String(example[field]);
    return { ...example, [field]: `${number.slice(0, number.length - ending.length)}${ending}` };
  }

  it.each(Object.entries(endings))('%s gives code %s', async (ending, code) => {
    const details = withEnding(ending);
    if (corridor !== undefined) expect(checkDetails(corridor, 'person', details).refusals).toEqual([]);
    const answer = await provider.submit(anOrder({ payoutType, details }), patience());
    expect('code' in answer ? answer.code : answer.kind === 'paid' && '0').toBe(code);
  });

  it('any other ending succeeds', async () => {
    const others = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0')).filter(
      (ending) => !(ending in endings) && !(ending.slice(-1) in endings),
    );
    expect(others.length).toBeGreaterThan(50);
    for (const ending of others) {
      const answer = await provider.submit(anOrder({ payoutType, details: withEnding(ending) }), patience());
      expect(answer).toEqual({ kind: 'paid' });
    }
  });
});

it('the published example of a failing number fails, although its ending is not the published one', async () => {
  const provider = new SandboxProvider({ name: 'sandbox', clock: manualClock(NOON), latencyMs: () => 0 });
  const details = { mobile_provider: 'mtn', phone_number: '+256772123419' };
  const answer = await provider.submit(anOrder({ payoutType: 'UGX::Mobile', details }), patience());
  expect(answer).toEqual({ kind: 'failed', code: '414' });
});
