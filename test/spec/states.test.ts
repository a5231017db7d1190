/** The tables of states and moves in docs/interface.md are those of the code, cell by cell. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StateRow, TransitionRow } from '../../server/src/kernel/state-table.ts';
import * as payins from '../../server/src/payins/states.ts';
import * as recipients from '../../server/src/recipients/states.ts';
import * as senders from '../../server/src/senders/states.ts';
import * as transactions from '../../server/src/transactions/states.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

const DOCUMENT = readDocument('docs/interface.md');
const MOVE_HEADER = ['Move', 'From', 'Trigger', 'Condition', 'To', 'Also', 'Open point'];

function moveCells(rows: readonly TransitionRow[]): string[][] {
  return rows.map((row) => [
    row.move,
    row.from.join(', '),
    row.trigger,
    row.condition ?? '',
    row.to.join(', then '),
    row.also ?? '',
    row.openPoint ?? '',
  ]);
}

describe('the states in the document are those of the code', () => {
  it('for senders', () => {
    const rows = senders.STATES.map((row) => [row.state, row.meaning, row.canTransact ? 'yes' : 'no']);
    expect(tableUnder(DOCUMENT, 'Sender states')).toEqual({ header: ['State', 'Meaning', 'Can transact'], rows });
  });

  it.each<[string, readonly StateRow[]]>([
    ['Transaction', transactions.STATES],
    ['Recipient', recipients.STATES],
    ['Payin method', payins.STATES],
  ])('for the %s', (name, states) => {
    const rows = states.map((row) => [row.state, row.meaning]);
    expect(tableUnder(DOCUMENT, `${name} states`)).toEqual({ header: ['State', 'Meaning'], rows });
  });
});

describe('the moves in the document are those of the code', () => {
  it.each<[string, readonly TransitionRow[]]>([
    ['Sender moves', senders.TRANSITIONS],
    ['Sender moves that the specification does not show', senders.ADDED_TRANSITIONS],
    ['Transaction moves', transactions.TRANSITIONS],
    ['Transaction moves that the specification does not show', transactions.ADDED_TRANSITIONS],
    ['Recipient moves', recipients.TRANSITIONS],
    ['Recipient moves that the specification does not show', recipients.ADDED_TRANSITIONS],
    ['Payin method moves', payins.ADDED_TRANSITIONS],
  ])('%s', (heading, transitions) => {
    expect(tableUnder(DOCUMENT, heading)).toEqual({ header: MOVE_HEADER, rows: moveCells(transitions) });
  });
});

describe('the groups in the document are those of the code', () => {
  it.each<[string, readonly string[]]>([
    ['funded', transactions.GROUPS.funded],
    ['any cancellable', recipients.GROUPS['any cancellable']],
    ['unpaid', payins.GROUPS.unpaid],
  ])('%s', (name, states) => {
    expect(DOCUMENT.split('\n')).toContain(`\`${name}\`: ${states.join(', ')}.`);
  });
});

describe('the database knows the same states', () => {
  const migrations = readdirSync(new URL('../../server/migrations', import.meta.url))
    .sort()
    .map((file) => readDocument(`server/migrations/${file}`))
    .join('\n');
  /** The last migration that names the constraint wins; nothing comes back for a table that does not exist yet. */
  const allowed = (table: string) =>
    [...migrations.matchAll(new RegExp(`constraint ${table}_state_known check \\(state in\\s*\\(([^)]*)\\)`, 'g'))]
      .at(-1)?.[1]
      ?.split(',')
      .map((state) => state.trim().slice(1, -1));

  it.each<[string, readonly StateRow[]]>([
    ['senders', senders.STATES],
    ['transactions', transactions.STATES],
    ['recipients', recipients.STATES],
  ])('for %s', (table, states) => {
    expect(allowed(table)).toEqual(states.map((row) => row.state));
  });
});
