import { describe, expect, it } from 'vitest';
import { EVENT_NAMES, EVENTS, FURTHER_EVENTS, isEventName } from './events.ts';

describe('the event table', () => {
  it('names each of the nineteen events once, those of the specification first', () => {
    expect(EVENTS).toHaveLength(9);
    expect(EVENT_NAMES.slice(0, 9)).toEqual(EVENTS.map((row) => row.event));
    expect(EVENT_NAMES).toHaveLength(19);
    expect(new Set(EVENT_NAMES).size).toBe(19);
  });

  it.each([...EVENTS, ...FURTHER_EVENTS])('$event is about a $object, as its prefix says', ({ event, object }) => {
    expect(event.split('.')[0]).toBe(object);
  });

  it.each(['transaction.error', 'transaction.paid', 'payout_method.created', 'document.created', '', 7, null])(
    'a webhook cannot ask for %j',
    (name) => {
      expect(isEventName(name)).toBe(false);
    },
  );

  it('a webhook can ask for every event of the table', () => {
    expect(EVENT_NAMES.every(isEventName)).toBe(true);
  });
});
