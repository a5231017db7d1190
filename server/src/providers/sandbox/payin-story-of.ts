/**
 * Which story a prompt has: the one that the reference of the collection asks for, else that of a published ending of
 * the phone number, else that of a flow with a one-time code, else the payer pays. Longest ending first. Open points
 * OP-85 and OP-173.
 */
import type { UxFlow } from '../../corridors/corridor.ts';
import type { PayinAnswer, PayinOrder } from '../payin-provider.ts';
import type { NotFound } from '../payout-provider.ts';
import { otpStory, PAYIN_WORDS, type PayinStory, storyOfPayinCode, usualPayer } from './payin-stories.ts';

/** `Sandbox Later`, or `Sandbox 412`: the first word calls, the second one asks. */
const ASKS = /^sandbox (?:([a-z]+)|([0-9]{1,3}))$/i;
const MAX_REFERENCE_CHARS = 40;
const STORIES = new Map(PAYIN_WORDS.map(({ word, story }) => [word.toLowerCase(), story]));

/** The published ones: last digits of the phone number to code. */
const PAYIN_ENDINGS = [{ payinType: 'XOF::Mobile', field: 'phone_number', endings: { '0': '0', '9': '412' } }] as const;

/** Published: the payer is sent a one-time code, and has to give it before anything is paid. */
const OTP_FLOW: UxFlow = 'otp_verified_ussd_popup';

export function payinStoryOf(order: PayinOrder): PayinStory {
  const asked = storyByReference(order);
  if (asked !== undefined) return asked;
  const code = codeByEnding(order);
  if (code !== undefined) return storyOfPayinCode(code, order);
  return order.uxFlow === OTP_FLOW ? otpStory(order) : usualPayer(order);
}

/** What the story has come to. */
export function payinAnswerAt(story: PayinStory, order: PayinOrder, now: Date): PayinAnswer | NotFound {
  const elapsedMs = now.getTime() - order.startedAt.getTime();
  const [first, ...others] = story.steps;
  return (others.findLast((step) => step.fromMs <= elapsedMs) ?? first)?.answer ?? { kind: 'not_found' };
}

/** When the story goes on; undefined: it is at its end. */
export function nextPayinStepAt(story: PayinStory, order: PayinOrder, now: Date): Date | undefined {
  const startedMs = order.startedAt.getTime();
  const next = story.steps.find((step) => step.fromMs > 0 && startedMs + step.fromMs > now.getTime());
  return next === undefined ? undefined : new Date(startedMs + next.fromMs);
}

function storyByReference(order: PayinOrder): PayinStory | undefined {
  const reference = order.collectionReference?.trim() ?? '';
  if (reference.length > MAX_REFERENCE_CHARS) return undefined;
  const [, word, code] = ASKS.exec(reference) ?? [];
  if (code !== undefined) return storyOfPayinCode(code, order);
  return word === undefined ? undefined : STORIES.get(word.toLowerCase())?.(order);
}

function codeByEnding({ payinType, details }: PayinOrder): string | undefined {
  const table = PAYIN_ENDINGS.find((each) => each.payinType === payinType);
  const value = table && details[table.field];
  if (typeof value !== 'string') return undefined;
  return Object.entries(table?.endings ?? {})
    .toSorted(([one], [other]) => other.length - one.length)
    .find(([ending]) => value.endsWith(ending))?.[1];
}
