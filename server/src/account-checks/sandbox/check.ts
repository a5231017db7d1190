/**
 * The sandbox's register of accounts: it knows every account, and finds what is expected unless the last digits ask for
 * something else. The longest ending that is listed counts. Open point OP-196.
 */
import { unreachable } from '../../kernel/assert.ts';
import { pause, untilAborted } from '../../providers/sandbox/wait.ts';
import type { AccountCheck, CheckAnswer, CheckQuestion } from '../account-check.ts';
import { OURS, PUBLISHED, type SandboxFinding } from './triggers.ts';

/** Who holds accounts of which nobody has said whose they are thought to be. */
const HOLDER = 'SANDBOX ACCOUNT HOLDER';
const SOMEBODY_ELSE = 'SOMEBODY ELSE';
/** Of each country, two that are there (OP-55): the second stands for the other one. */
const OPERATORS: Readonly<Record<string, readonly [string, string]>> = {
  BJ: ['mtn', 'moov'],
  BF: ['orange', 'moov'],
  SN: ['orange', 'free'],
  TG: ['tmoney', 'moov'],
};
const USUAL_OPERATORS = ['mtn', 'orange'] as const;
const NO_ANSWER: CheckAnswer = { kind: 'unavailable', why: 'no answer' };

export class SandboxAccountCheck implements AccountCheck {
  readonly name = 'sandbox';
  readonly #latencyMs: () => number;

  /** How long an answer takes. At 0 nothing takes time, and no answer is told at once. */
  constructor(latencyMs: () => number) {
    this.#latencyMs = latencyMs;
  }

  async check(question: CheckQuestion, signal: AbortSignal): Promise<CheckAnswer> {
    const finding = findingOf(question);
    const latencyMs = this.#latencyMs();
    if (finding === 'no_answer') {
      if (latencyMs > 0) await untilAborted(signal);
      return NO_ANSWER;
    }
    return (await pause(latencyMs, signal)) ? answerOf(question, finding) : NO_ANSWER;
  }
}

function findingOf({ kind, payoutType, account }: CheckQuestion): SandboxFinding | undefined {
  const text = account.bank_account ?? account.phone_number ?? '';
  const published = PUBLISHED.filter(
    (row) =>
      row.payoutType === payoutType &&
      (row.mobileProvider === undefined || row.mobileProvider === account.mobile_provider),
  );
  const ours = OURS.filter(({ kinds }) => kinds.includes(kind));
  const met = [...published, ...ours].filter(({ ending }) => text.endsWith(ending));
  return met.toSorted((one, other) => other.ending.length - one.ending.length)[0]?.finds;
}

function answerOf(question: CheckQuestion, finding: SandboxFinding | undefined): CheckAnswer {
  if (finding === 'not_found') return { kind: 'not_found' };
  const { kind, account, expectedName } = question;
  switch (kind) {
    case 'name':
      return { kind, accountName: finding === 'somebody_else' ? SOMEBODY_ELSE : holderLike(expectedName) };
    case 'telco': {
      const known = OPERATORS[question.country] ?? USUAL_OPERATORS;
      const given = account.mobile_provider ?? known[0];
      const other = known.find((operator) => operator !== given) ?? given;
      return { kind, mobileProvider: finding === 'other_operator' ? other : given };
    }
    case 'status':
      return { kind, status: finding === 'inactive' ? 'inactive' : 'active' };
    default:
      return unreachable(kind);
  }
}

/** As registers write it: in capitals, the last name first. */
function holderLike(expectedName: string | undefined): string {
  const words = (expectedName ?? '').split(/\s+/).filter((word) => word !== '');
  return words.length === 0 ? HOLDER : words.toReversed().join(' ').toUpperCase();
}
