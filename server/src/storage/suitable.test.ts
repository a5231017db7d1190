import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { DatabaseUnsuitable, refuseForgetful } from './suitable.ts';

const { db } = await freshDatabase();

/** A server with other settings than the one of the test run, which may be durable or not. */
const serverWith = (settings: Readonly<Record<string, string>>) => ({
  query: async <Row extends object>(text: string, values?: Parameters<typeof db.query>[1]) => {
    const rows = Object.entries(settings).map(([name, setting]) => `('${name}', '${setting}')`);
    return db.query<Row>(text.replace('pg_settings', `(values ${rows.join(', ')}) as s (name, setting)`), values);
  },
});

describe('a server that is asked for live money', () => {
  it.each([
    ['that writes to the disk is taken', { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }, undefined],
    ['that does not is refused', { fsync: 'off', full_page_writes: 'on' }, 'fsync'],
    ['that may keep half a page is refused', { fsync: 'on', full_page_writes: 'off' }, 'full_page_writes'],
    [
      'that answers before it has written is refused',
      { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'off' },
      'synchronous_commit',
    ],
    [
      'that writes here and not on its standby is taken',
      { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'local' },
      undefined,
    ],
    ['is told everything at once', { fsync: 'off', full_page_writes: 'off' }, 'fsync and full_page_writes'],
  ])('%s', async (_, settings, off) => {
    const refused = await refuseForgetful(serverWith(settings)).catch((fault: unknown) => fault);
    if (off === undefined) return expect(refused).toBeUndefined();
    expect(refused).toBeInstanceOf(DatabaseUnsuitable);
    expect(String(refused)).toContain(`runs with ${off} off, and would lose payments`);
  });
});
