/**
 * Checks the details of a recipient, or the in_details of a payin method, against the rules of the corridor. Pure and
 * total: no JSON value makes it throw. All faults come at once, in the order of the fields, with paths relative to the
 * details. Codes: blank, invalid, too_large, too_short, not_in_list. Spec: Payout method, Payin method. Open point
 * OP-109.
 */
import { type Refusal, type RefusalCode, refuse } from '../kernel/refusal.ts';
import { faultOfText, isBlank } from '../kernel/storable.ts';
import type { Choice, Details, PayinCorridor, PayoutCorridor, RecipientType, RuleSet } from './corridor.ts';
import { isRecord } from './parse-file.ts';
import { holds } from './rule.ts';

interface CheckedDetails {
  /** What to keep: as it was sent, keys that nobody knows included, with numbers and accounts in their one form. */
  readonly details: Details;
  readonly refusals: readonly Refusal[];
}

/** Characters in all keys and values together; about ten times what the longest corridor needs. */
export const MAX_DETAILS_CHARS = 8_192;
const MAX_DEPTH = 8;
/** What a number, a truth value or a bracket counts for. */
const SCALAR_CHARS = 8;

/** A corridor may take only persons: look at `recipientTypes` first, to refuse on the recipient's `type`. */
export function checkDetails(corridor: PayoutCorridor, recipientType: RecipientType, details: unknown): CheckedDetails {
  if (!corridor.recipientTypes.includes(recipientType)) {
    return { details: isRecord(details) ? details : {}, refusals: [refuse('not_in_list')] };
  }
  return checkAgainst(corridor.rules(recipientType), details);
}

export function checkInDetails(corridor: PayinCorridor, inDetails: unknown): CheckedDetails {
  return checkAgainst(corridor.rules(), inDetails);
}

/** Details that are missing altogether are details in which every field is missing. */
export function checkAgainst(ruleSet: RuleSet, details: unknown): CheckedDetails {
  const given = details ?? {};
  if (!isRecord(given)) return { details: {}, refusals: [refuse('invalid')] };
  if (remainingChars(given, MAX_DETAILS_CHARS, MAX_DEPTH) < 0)
    return { details: given, refusals: [refuse('too_large')] };
  const scope = ruleSet.scopeOf(given);
  const kept = { ...given };
  const refusals: Refusal[] = [];
  const chosen = choiceFaults(ruleSet.choices, given);
  for (const rule of ruleSet.rules) {
    if (rule.when !== undefined && !holds(rule.when, scope)) continue;
    const value = given[rule.name];
    const fault = chosen?.get(rule.name);
    if (fault !== undefined) refusals.push(refuse(fault, rule.name));
    else if (!isBlank(value)) {
      const outcome = rule.read(value, scope);
      if ('code' in outcome) refusals.push(refuse(outcome.code, rule.name));
      else if (faultOfText(outcome.text, MAX_DETAILS_CHARS) !== undefined) refusals.push(refuse('invalid', rule.name));
      else kept[rule.name] = outcome.text;
    } else if (rule.required) refusals.push(refuse('blank', rule.name));
  }
  return { details: kept, refusals };
}

/**
 * Faults of fields of which one group is enough. No group begun: the first field of each is blank. A group begun: its
 * missing fields are blank. Two groups where only one may be: what belongs to the other is invalid; the complete one
 * stays, or else the first.
 */
function choiceFaults(choices: readonly Choice[], details: Details): ReadonlyMap<string, RefusalCode> | undefined {
  if (choices.length === 0) return undefined;
  const faults = new Map<string, RefusalCode>();
  const isGiven = (name: string) => !isBlank(details[name]);
  for (const { choose, ways } of choices) {
    const begun = ways.filter(({ needs, mayHave }) => needs.some(isGiven) || mayHave.some(isGiven));
    const kept = begun.find(({ needs }) => needs.every(isGiven)) ?? begun[0];
    if (kept === undefined)
      for (const { needs } of ways) for (const first of needs.slice(0, 1)) faults.set(first, 'blank');
    for (const way of begun) {
      const surplus = choose === 'exactly_one' && way !== kept;
      for (const name of surplus ? [...way.needs, ...way.mayHave] : way.needs) {
        if (surplus === isGiven(name)) faults.set(name, surplus ? 'invalid' : 'blank');
      }
    }
  }
  return faults;
}

/** Below zero as soon as the value is larger or deeper than allowed; nothing beyond that is looked at. */
function remainingChars(value: unknown, chars: number, depth: number): number {
  if (typeof value === 'string') return chars - value.length;
  if (typeof value !== 'object' || value === null) return chars - SCALAR_CHARS;
  if (depth === 0) return -1;
  let remaining = chars - SCALAR_CHARS;
  for (const [key, item] of Object.entries(value)) {
    if (remaining < 0) return remaining;
    remaining = remainingChars(item, remaining - key.length, depth - 1);
  }
  return remaining;
}
