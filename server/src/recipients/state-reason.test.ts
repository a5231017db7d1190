import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODE_TABLE } from './code-table.ts';
import { contradictsFailure, reasonOf, waitReasonOf } from './state-reason.ts';

const ERRORS = CODE_TABLE.filter(({ code }) => /^[345]/.test(code));
const WAITS = CODE_TABLE.filter(({ code }) => /^[12]/.test(code));

describe('the table of codes', () => {
  it('has the 51 published codes, each once', () => {
    expect(CODE_TABLE).toHaveLength(51);
    expect(new Set(CODE_TABLE.map(({ code }) => code)).size).toBe(51);
  });

  it('has three messages and a sentence for each', () => {
    for (const { messages, description } of CODE_TABLE) {
      expect(messages.filter((message) => message !== '')).toHaveLength(3);
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('why a payout failed', () => {
  it.each(ERRORS)('code $code is told with its messages', ({ code, messages, description }) => {
    const { text, details } = reasonOf(code);
    expect(details).toMatchObject({ code, messages, description });
    expect(text).toBe(description);
  });

  it.each([
    ['331', 'temporary_error'],
    ['416', 'recipient_error'],
    ['511', 'sender_error'],
    ['541', 'recipient_error'],
    ['543', 'recipient_error'],
  ])('code %s is a %s', (code, category) => {
    expect(reasonOf(code).details.category).toBe(category);
  });

  it.each([
    ['39', '3'],
    ['499', '4'],
    ['55', '5'],
  ])('a code that nobody has published, %s, keeps its number and has the text of class %s', (code, general) => {
    expect(reasonOf(code).details).toEqual({ ...reasonOf(general).details, code });
  });

  it.each(['', '6', '999', '4161', 'E42', '04', '0', '14', '21'])(
    '%j is no code of an error and counts as the temporary error 3',
    (code) => {
      expect(reasonOf(code)).toBe(reasonOf('3'));
      expect(reasonOf(code).details).toMatchObject({ code: '3', category: 'temporary_error' });
    },
  );

  it('whatever a provider sends, there is a reason', () => {
    fc.assert(
      fc.property(fc.string(), (code) => {
        expect(['temporary_error', 'recipient_error', 'sender_error']).toContain(reasonOf(code).details.category);
        expect(['unknown', 'pickupable']).toContain(waitReasonOf(code).details.category);
      }),
    );
  });
});

describe('what a payout waits for', () => {
  it.each(WAITS)('code $code is told with its messages', ({ code, messages }) => {
    expect(waitReasonOf(code).details).toMatchObject({ code, messages });
  });

  it.each([undefined, '', '0', '3', '416', '99', 'soon'])('with %j it is the general wait', (code) => {
    expect(waitReasonOf(code).details).toMatchObject({ code: '1', category: 'unknown' });
  });

  it('a wait that nobody has published keeps its number', () => {
    expect(waitReasonOf('19').details).toMatchObject({ code: '19', category: 'unknown' });
    expect(waitReasonOf('29').details).toMatchObject({ code: '29', category: 'pickupable' });
  });
});

describe('an answer that contradicts itself', () => {
  it.each(['0', '1', '14', '19', '2', '21', '29'])('failed with %s proves nothing', (code) => {
    expect(contradictsFailure(code)).toBe(true);
  });

  it.each([...ERRORS.map(({ code }) => code), '39', '999', '', 'E42'])('failed with %j is a failure', (code) => {
    expect(contradictsFailure(code)).toBe(false);
  });
});
