/** The event tables in docs/interface.md are those of the code, cell by cell. */
import { describe, expect, it } from 'vitest';
import { EVENTS, FURTHER_EVENTS } from '../../server/src/webhooks/events.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

const DOCUMENT = readDocument('docs/interface.md');

describe('the events in the document are those of the code', () => {
  it('of the specification', () => {
    expect(tableUnder(DOCUMENT, 'Event table')).toEqual({
      header: ['Event', 'Object', 'Emitted when'],
      rows: EVENTS.map((row) => [row.event, row.object, row.emittedWhen]),
    });
  });

  it('beyond it', () => {
    expect(tableUnder(DOCUMENT, 'Further events and occasions')).toEqual({
      header: ['Event', 'Object', 'Emitted when', 'Open point'],
      rows: FURTHER_EVENTS.map((row) => [row.event, row.object, row.emittedWhen, row.openPoint]),
    });
  });
});
