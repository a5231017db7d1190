/**
 * Which story an order has: the one that the name of the recipient asks for, else the code of a published ending, else
 * it succeeds. A name can ask in every corridor: an account number often cannot, since its check digits would no longer
 * hold. Longest ending first, unlisted ones succeed. Open point OP-105.
 */
import type { NotFound, PayoutAnswer, PayoutOrder } from '../payout-provider.ts';
import { codeByEnding } from './endings.ts';
import { pickup, type Story, storyOfCode, WORDS } from './stories.ts';

const SUCCESS: Story = { steps: [{ fromMs: 0, answer: { kind: 'paid' } }] };

/** `Sandbox Timeout`, or `Sandbox 416`: the first word calls, the second one asks. */
const ASKS = /^sandbox (?:([a-z]+)|([0-9]{1,3}))$/i;
const MAX_NAME_CHARS = 40;
const STORIES = new Map(WORDS.map(({ word, story }) => [word.toLowerCase(), story]));

export function storyOf(order: PayoutOrder, isBackup: boolean): Story {
  const asked = storyByName(order, isBackup);
  if (asked !== undefined) return asked;
  const code = codeByEnding(order.payoutType, order.details);
  if (code !== undefined) return storyOfCode(code, order);
  return order.payoutType.endsWith('::Cash') ? pickup(order) : SUCCESS;
}

/** What the story has come to. */
export function answerAt(story: Story, order: PayoutOrder, now: Date): PayoutAnswer | NotFound {
  const elapsedMs = now.getTime() - order.startedAt.getTime();
  const [first, ...others] = story.steps;
  const reached = others.findLast((step) => step.fromMs <= elapsedMs) ?? first;
  return reached?.answer ?? { kind: 'not_found' };
}

/** When the story goes on; undefined: it is at its end. */
export function nextStepAt(story: Story, order: PayoutOrder, now: Date): Date | undefined {
  const startedMs = order.startedAt.getTime();
  const next = story.steps.find((step) => step.fromMs > 0 && startedMs + step.fromMs > now.getTime());
  return next === undefined ? undefined : new Date(startedMs + next.fromMs);
}

function storyByName(order: PayoutOrder, isBackup: boolean): Story | undefined {
  const name = nameOf(order.details);
  if (name.length > MAX_NAME_CHARS) return undefined;
  const [, word, code] = ASKS.exec(name) ?? [];
  if (code !== undefined) return storyOfCode(code, order);
  return word === undefined ? undefined : STORIES.get(word.toLowerCase())?.(order, isBackup);
}

/** First and last name, the name of a business, or the reference of a payment into a balance, which names nobody. */
function nameOf(details: PayoutOrder['details']): string {
  const { first_name: first, last_name: last, name, reference } = details;
  if (typeof first === 'string' && typeof last === 'string') return `${first.trim()} ${last.trim()}`;
  if (typeof name === 'string') return name.trim();
  return typeof reference === 'string' ? reference.trim() : '';
}
