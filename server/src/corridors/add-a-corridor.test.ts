/** Tries the steps of docs/add-a-corridor.md, and shows that broken files are told all at once. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { present } from '../kernel/assert.ts';
import { corridorsDirectory } from '../kernel/program-files.ts';
import { loadCatalogue } from './catalogue.ts';
import { checkDetails } from './check-details.ts';
import { checkSender } from './check-sender.ts';
import { exampleFor } from './example.ts';
import { FORMAT_NAMES } from './formats.ts';
import { CatalogueInvalid, mistakeLine } from './mistakes.ts';

const page = readFileSync(join(corridorsDirectory(), '..', '..', 'docs', 'add-a-corridor.md'), 'utf8');
const madeUp = present(/```json\n([\s\S]*?)```/.exec(page)?.[1], 'the corridor of the page');

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'corridors-'));
  for (const folder of ['payout', 'payin', 'shared']) mkdirSync(join(directory, folder));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(path: string, content: unknown): void {
  writeFileSync(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content));
}

function mistakesOf(load: () => unknown): string[] {
  try {
    load();
  } catch (fault) {
    if (fault instanceof CatalogueInvalid) return fault.mistakes.map((mistake) => mistakeLine(mistake).trim());
    throw fault;
  }
  return [];
}

describe('a corridor of a made-up type', () => {
  it('is one file in a directory of its own', () => {
    expect(loadCatalogue().payout('AED::Bank')).toBeUndefined();
    write('payout/aed-bank.json', madeUp);
    const catalogue = loadCatalogue({ extraDirectory: directory });
    const corridor = catalogue.mustPayout('AED::Bank');
    expect(catalogue.payouts()).toHaveLength(loadCatalogue().payouts().length + 1);
    expect(Object.keys(corridor.fields('business'))).not.toContain('first_name');

    for (const way of [0, 1]) {
      expect(checkDetails(corridor, 'person', exampleFor(corridor, 'person', { way })).refusals).toEqual([]);
    }
    const details = { ...exampleFor(corridor, 'business', { way: 1 }), card_number: '4111111111111112', emirate: 'DU' };
    expect(checkDetails(corridor, 'business', { ...details, transfer_reason: 'fun' }).refusals).toEqual([
      { code: 'invalid', path: ['card_number'] },
      { code: 'blank', path: ['free_zone'] },
      { code: 'not_in_list', path: ['transfer_reason'] },
    ]);
    expect(checkSender(corridor, { type: 'person', details }, { type: 'person', details: {} })).toHaveLength(1);
    expect(checkSender(corridor, { type: 'person', details }, { type: 'business', details: {} })).toEqual([]);
  });

  it('replaces a file of the same name', () => {
    const balance = { ...JSON.parse(readFileSync(join(corridorsDirectory(), 'payout', 'balance.json'), 'utf8')) };
    write('payout/balance.json', { ...balance, about: 'Our own.' });
    expect(loadCatalogue({ extraDirectory: directory }).payout('USD::Balance')?.facts.about).toBe('Our own.');
  });

  it('can be all that there is', () => {
    write('payout/aed-bank.json', { ...JSON.parse(madeUp), fields: JSON.parse(madeUp).fields.slice(0, -1) });
    const catalogue = loadCatalogue({ directory });
    expect([catalogue.payouts().length, catalogue.payins().length]).toEqual([1, 0]);
  });
});

describe('the page', () => {
  it('lists every format', () => {
    const part = page.slice(page.search(/^\| Format +\| Takes/m), page.indexOf('## Another version'));
    expect([...part.matchAll(/^\| `(\w+)` +\|/gm)].map((row) => row[1])).toEqual([...FORMAT_NAMES]);
  });
});

describe('mistakes in corridor files', () => {
  it('are told all at once, each with its file and place', () => {
    const file = JSON.parse(madeUp);
    write('payout/aed-bank.json', {
      ...file,
      facts_as_of: 'yesterday',
      countries: ['AE', 'QQ'],
      colour: 'blue',
      fields: [
        { name: 'First', required: 'yes', example: 'x' },
        { name: 'iban', format: 'ibn', example: 'x' },
        { name: 'city' },
        { name: 'zone', pattern: '^(a+)+$', example: 'a' },
      ],
    });
    write('payout/cad-bank.json', '{ "type": ');
    write('payout/Strange Name.json', '{}');
    write('payin/jpy-bank.json', []);
    write('shared/broken.json', { about: 'a', source: 'b', options: { x: 1 } });
    expect(mistakesOf(() => loadCatalogue({ directory }))).toEqual([
      'payout/Strange Name.json: is not named like ngn-bank.json or ngn-bank.published.json',
      expect.stringMatching(/^payout\/cad-bank\.json: is not JSON: /),
      'shared/broken.json: options.x is not a text',
      'shared/broken.json: facts_as_of is missing',
      'payout/aed-bank.json: facts_as_of is not a day such as 2025-11-07',
      'payout/aed-bank.json: fields[0].name is not a name in small letters, such as bank_code',
      'payout/aed-bank.json: fields[0].required is neither true nor false',
      `payout/aed-bank.json: fields[1].format is not one of: ${FORMAT_NAMES.join(', ')}`,
      'payout/aed-bank.json: colour is not a key that belongs here',
      'payin/jpy-bank.json: is not an object',
    ]);
  });

  it.each([
    [
      'a currency that the service does not have',
      { type: 'QQQ::Bank' },
      [
        'type is QQQ::Bank, whose file is named qqq-bank.json',
        'type does not begin with a currency of the service (QQQ)',
      ],
    ],
    [
      'a kind that does not exist',
      { type: 'AED::Bonk' },
      ['type is AED::Bonk, whose file is named aed-bonk.json', 'type does not end in one of: Bank, Mobile, Cash'],
    ],
    ['a country that does not exist', { countries: ['AE', 'QQ'] }, ['countries[1] is not a country']],
    [
      'no recipients',
      { recipients: [] },
      [
        'fields[0].recipient is not one of the recipients of the file',
        'fields[1].recipient is not one of the recipients of the file',
        'fields[2].recipient is not one of the recipients of the file',
        'recipients is empty',
      ],
    ],
    [
      'checks in another country',
      { checks: [{ kind: 'name', countries: ['NG'], where: ['endpoint'] }] },
      ['checks[0] has other countries: NG'],
    ],
    [
      'a step of an unknown operator',
      { output_steps: [{ country: 'AE', mobile_provider: 'du', step: 5 }] },
      ['output_steps[0] names an operator that the fields do not have'],
    ],
    [
      'a choice of one way',
      { choices: [{ choose: 'exactly_one', ways: [{ about: 'x', needs: ['nothing'] }] }] },
      ['choices[0].ways has fewer than two ways', 'choices[0].ways[0] names a field that is not there: nothing'],
    ],
    [
      'a list that is not shared',
      { sender: [{ field: 'x', options: 'no-list' }] },
      ['sender[0].options names a list that is not in shared: no-list'],
    ],
  ])('such as %s', (_what, changes, expected) => {
    write('payout/aed-bank.json', { ...JSON.parse(madeUp), ...changes });
    const told = mistakesOf(() => loadCatalogue({ extraDirectory: directory }));
    expect(told).toEqual(expected.map((line) => `payout/aed-bank.json: ${line}`));
  });

  it.each([
    ['no example', { name: 'x' }, 'fields[0].example is missing'],
    [
      'an example that its own rule refuses',
      { name: 'x', format: 'bic', example: 'y' },
      'fields have examples that the file itself refuses: x is invalid',
    ],
    [
      'an example that is no option',
      { name: 'x', options: { a: 'A' }, example: 'b' },
      'fields[0].example is not an option',
    ],
    [
      'a shared list that is not there',
      { name: 'x', options: 'nowhere' },
      'fields[0].options names a list that is not in shared: nowhere',
    ],
    [
      'a pattern that could take for ever',
      { name: 'x', pattern: '^(a+)+$', example: 'a' },
      'fields[0].pattern has a part that is not taken, at character 2',
    ],
    [
      'a pattern and a format',
      { name: 'x', pattern: '^A$', format: 'bic', example: 'A' },
      'fields[0] has more than one of: pattern, format',
    ],
    [
      'options and a format',
      { name: 'x', options: { a: 'A' }, format: 'bic' },
      'fields[0] has options, and format too',
    ],
    [
      'a condition on nothing',
      { name: 'x', example: 'y', when: { z: ['1'] } },
      'fields[0].when names a field that is not there: z',
    ],
    ['no options', { name: 'x', options: {} }, 'fields[0].options is empty'],
    [
      'a code without label',
      { name: 'x', options: { a: 'A' }, options_by: { field: 'country', lists: { AE: ['b'] } } },
      'fields[0].options_by.lists.AE has codes without a label: b',
    ],
    [
      'options for another country',
      { name: 'x', options: { a: 'A' }, options_by: { field: 'country', lists: { NG: ['a'] } } },
      'fields[0].options_by.lists has values that country cannot have: NG',
    ],
    [
      'a part of nothing',
      { name: 'x', example: 'y', part_of: { field: 'z', from: 3, to: 1 } },
      'fields[0].part_of ends before it begins',
    ],
  ])('such as a field with %s', (_what, field, says) => {
    const { choices: _choices, sender: _sender, ...file } = JSON.parse(madeUp);
    write('payout/aed-bank.json', { ...file, recipients: ['person'], fields: [field] });
    expect(mistakesOf(() => loadCatalogue({ extraDirectory: directory }))).toContain(`payout/aed-bank.json: ${says}`);
  });

  it('such as a name that comes twice, and a required field in a choice', () => {
    const file = JSON.parse(madeUp);
    const fields = [...file.fields, { name: 'iban', required: true, format: 'iban', example: file.fields[4].example }];
    write('payout/aed-bank.json', { ...file, fields });
    expect(mistakesOf(() => loadCatalogue({ extraDirectory: directory }))).toEqual([
      'payout/aed-bank.json: fields[9] comes a second time: iban',
      'payout/aed-bank.json: choices[0].ways[0] names a field that is always required: iban',
    ]);
  });

  it('such as a variant or a directory that is not there', () => {
    expect(mistakesOf(() => loadCatalogue({ variants: { 'payout/ngn-bank': 'improved' } }))).toEqual([
      'payout/ngn-bank: has no variant improved',
    ]);
    const nowhere = join(directory, 'nowhere');
    expect(mistakesOf(() => loadCatalogue({ extraDirectory: nowhere }))).toEqual([
      `${nowhere}: has none of the folders payout, payin, shared`,
    ]);
  });
});
