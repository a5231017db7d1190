/**
 * The forms of texts in operators' requests: a pattern for the program, and words for people, who read them in refusals
 * and in docs/operator-api.md.
 */
import Type from 'typebox';
import { OPERATOR_NAME } from '../accounts/operators.ts';
import { TIME } from '../webhooks/redelivery-body.ts';

interface Form {
  readonly pattern: string;
  /** What it is: behind "must be". */
  readonly words: string;
}

const UUID = '[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}';
/** Where a page ended: a time in milliseconds, and an id. */
const CURSOR = `^[0-9]{1,15}_${UUID}`;
const NEXT = 'the `next` of the page before';

const FORMS = {
  uuid: { pattern: `^${UUID}$`, words: 'a UUID' },
  pageSize: { pattern: '^([1-9][0-9]?|[1-4][0-9][0-9]|500)$', words: 'a whole number from 1 to 500, as text' },
  next: { pattern: `${CURSOR}$`, words: NEXT },
  /** An event, and the webhook of the delivery with which the page ended. */
  nextOfDeliveries: { pattern: `^${UUID}(_${UUID})?$`, words: `the id of an event, or ${NEXT}` },
  /** With the place among the recipients, as the attention list has it. */
  nextOfAttention: { pattern: `${CURSOR}_(-1|[0-9]{1,5})$`, words: NEXT },
  /**
   * No blank at its ends: who writes the same reference again must mean the same payment. No half characters, which
   * would come back from the database as others.
   */
  paymentReference: {
    pattern: '^[^\\p{Cc}\\p{Cs}\\s]([^\\p{Cc}\\p{Cs}]{0,198}[^\\p{Cc}\\p{Cs}\\s])?$',
    words: 'text of at most 200 characters, without blanks at its ends or control characters',
  },
  /** Enough for `NGN::Bank`, and for what somebody mistypes. */
  corridorType: { pattern: '^[A-Za-z0-9:]{1,60}$', words: 'a type such as `NGN::Bank`' },
  currency: { pattern: '^[A-Z]{3}$', words: 'a currency such as `USD`' },
  /** As somebody may write it in a path. */
  currencyInPath: { pattern: '^[A-Za-z]{3,10}$', words: 'a currency such as `USD`' },
  country: { pattern: '^[A-Z]{2}$', words: 'a country such as `NG`' },
  apiKey: { pattern: '^[!-~]{1,200}$', words: 'an API key' },
  /** Of a provider, or the secret of a webhook, whatever it looks like. */
  visible: { pattern: '^[!-~]{1,100}$', words: 'text of at most 100 characters, all of them visible ASCII' },
  provider: { pattern: '^[a-z0-9][a-z0-9_-]{0,59}$', words: 'the name of a provider' },
  operator: {
    pattern: OPERATOR_NAME,
    words: 'a name of at most 100 letters, digits and `._@-`, with a letter or digit first',
  },
  duration: { pattern: '^[0-9]{1,6}(s|m|h|d)$', words: 'a duration such as `12h`, in `s`, `m`, `h` or `d`' },
  milliseconds: { pattern: '^[0-9]{1,5}$', words: 'a whole number of milliseconds below 100000, as text' },
  day: { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', words: 'a day such as `2026-11-16`' },
  moment: { pattern: TIME, words: 'a time such as `2026-11-16T09:00:00Z`' },
} as const satisfies Record<string, Form>;

type FormName = keyof typeof FORMS;

/** A field that has the form. */
export function formed(name: FormName, more: { readonly description?: string } = {}) {
  return Type.String({ pattern: FORMS[name].pattern, ...more });
}

const WORDS: ReadonlyMap<string, string> = new Map(Object.values(FORMS).map(({ pattern, words }) => [pattern, words]));

/** Undefined: a pattern that is not one of these. */
export function wordsOf(pattern: string): string | undefined {
  return WORDS.get(pattern);
}
