import { describe, expect, it } from 'vitest';
import { EVENT_NAMES, EVENTS, FURTHER_EVENTS, isSubscribable, SUBSCRIBABLE_NAMES } from './events.ts';

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

  it.each(['webhook.test', 'payout_method.created', 'document.created', '', 7, null])(
    'a webhook cannot ask for %j',
    (name) => {
      expect(isSubscribable(name)).toBe(false);
    },
  );

  it('a webhook can ask for every event of the table', () => {
    expect(EVENT_NAMES.every(isSubscribable)).toBe(true);
  });

  it('a webhook can ask for two published names that nothing sends, and the table does not name them', () => {
    expect(SUBSCRIBABLE_NAMES.slice(EVENT_NAMES.length)).toEqual(['transaction.error', 'transaction.paid']);
  });
});
