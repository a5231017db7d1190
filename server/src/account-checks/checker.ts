/**
 * Looks accounts up, for callers and for payouts: from the findings of the last minutes, or by asking, within its time
 * and with so many questions at once. Whatever goes wrong becomes `unavailable`. Every question that was sent is
 * recorded, since some kinds are paid for. Spec: endpoint 15. Open points OP-194 and OP-195.
 */
import type { Context } from '../context.ts';
import { CHECK_KINDS } from '../corridors/file-shape.ts';
import { BatchRunner } from '../kernel/batch.ts';
import { GivenUp, within } from '../kernel/deadline.ts';
import { openDoubtLog, type TellDoubt } from '../providers/doubt-log.ts';
import { Lane } from '../providers/lane.ts';
import { Silences } from '../providers/silences.ts';
import { batchOptions } from '../settings/batch-options.ts';
import { type AccountCheck, type CheckAnswer, type CheckQuestion, readable } from './account-check.ts';
import { CheckCache, cacheKey } from './cache.ts';
import { type AskedCheck, insertChecks } from './store.ts';

type CheckerContext = Pick<Context, 'db' | 'clock' | 'ids' | 'settings' | 'metrics' | 'log'>;

interface CheckerParts {
  readonly ctx: CheckerContext;
  /** Undefined: nobody is set up to ask. */
  readonly check: AccountCheck | undefined;
  readonly pause: (delayMs: number) => Promise<void>;
}

export interface Ask {
  readonly accountId: string;
  readonly question: CheckQuestion;
  readonly askedFor: AskedCheck['askedFor'];
}

/** What part of its time a question may wait for a free place. */
const WAIT_SHARE = 2;
/** There is one whom questions go to. */
const REGISTER = 'register';
const MS_PER_SECOND = 1_000;
const ASKED_FOR = ['call', 'payout'] as const satisfies readonly AskedCheck['askedFor'][];
const COUNTED_ANSWERS = ['found', 'not_found', 'unavailable', 'cached'] as const satisfies readonly (
  | AskedCheck['outcome']
  | 'cached'
)[];

export class AccountChecker {
  readonly #parts: CheckerParts;
  readonly #cache: CheckCache;
  readonly #lane: Lane;
  readonly #silences: Silences;
  readonly #record: BatchRunner<AskedCheck, undefined>;
  readonly #tellDoubt: TellDoubt;
  /** The same question at the same time is asked once. */
  readonly #underWay = new Map<string, Promise<CheckAnswer>>();
  readonly #count: (labels: Readonly<Record<'kind' | 'asked_for' | 'answer', string>>) => void;
  readonly #time: (labels: Readonly<Record<'kind', string>>, seconds: number) => void;

  constructor(parts: CheckerParts) {
    const { db, settings, metrics } = parts.ctx;
    this.#parts = parts;
    this.#cache = new CheckCache(settings.validation.cacheMs);
    this.#lane = new Lane(settings.validation.maxCalls);
    this.#silences = new Silences(settings.providers.pauseAfter);
    this.#tellDoubt = openDoubtLog(parts.ctx.log);
    this.#record = new BatchRunner(
      batchOptions(parts.ctx, {
        name: 'record_account_checks',
        tenantOf: ({ accountId }) => accountId,
        pause: parts.pause,
      }),
      async (asked) => {
        await db.inTx((tx) => insertChecks(tx, asked));
        return asked.map(() => undefined);
      },
    );
    this.#count = metrics.counter({
      name: 'payferry_account_checks_total',
      help: 'Account checks by kind, by what they were for, and by answer; cached: answered without asking.',
      labels: ['kind', 'asked_for', 'answer'],
      fromZero: CHECK_KINDS.flatMap((kind) =>
        ASKED_FOR.flatMap((askedFor) => COUNTED_ANSWERS.map((answer) => ({ kind, asked_for: askedFor, answer }))),
      ),
    });
    this.#time = metrics.timing({
      name: 'payferry_account_check_seconds',
      help: 'How long it took to look accounts up, the wait for a free place included.',
      labels: ['kind'],
    });
  }

  async ask(ask: Ask): Promise<CheckAnswer> {
    const { question, askedFor } = ask;
    const key = cacheKey(ask.accountId, question);
    const known = this.#cache.get(key, this.#parts.ctx.clock.now());
    const shared = known ?? this.#underWay.get(key);
    if (shared !== undefined) {
      this.#count({ kind: question.kind, asked_for: askedFor, answer: 'cached' });
      return shared;
    }
    const asking = this.#ask(ask).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asking);
    const answer = await asking;
    this.#cache.put(key, answer, this.#parts.ctx.clock.now());
    return answer;
  }

  /** Whoever is asked leaves questions without an answer, so that each takes all its time. */
  isSilent(): boolean {
    return this.#silences.isSilent(REGISTER);
  }

  /** When no more questions come: those that were asked are recorded, and the connections given back. */
  readonly close = async (): Promise<void> => {
    await Promise.all(this.#underWay.values());
    await this.#record.close();
    await this.#parts.check?.close?.();
  };

  async #ask(ask: Ask): Promise<CheckAnswer> {
    const { question, askedFor } = ask;
    const started = performance.now();
    const { answer, isSent } = await this.#send(ask);
    const { kind } = question;
    this.#count({ kind, asked_for: askedFor, answer: outcomeOf(answer) });
    this.#time({ kind }, (performance.now() - started) / MS_PER_SECOND);
    if (isSent) {
      this.#doubt(answer);
      await this.#keep(ask, answer);
    }
    return answer;
  }

  #doubt(answer: CheckAnswer): void {
    const { check } = this.#parts;
    if (check === undefined || answer.kind !== 'unavailable') return;
    this.#tellDoubt({ provider: check.name, call: 'account_check', why: answer.why });
  }

  async #send({ accountId, question }: Ask): Promise<{ answer: CheckAnswer; isSent: boolean }> {
    const { check, ctx } = this.#parts;
    if (check === undefined) return { answer: unavailable('nobody is set up to be asked'), isSent: false };
    const { callTimeoutMs } = ctx.settings.validation;
    let isSent = false;
    const send = (signal: AbortSignal) => {
      isSent = true;
      return check.check(question, signal);
    };
    const inItsTurn = (signal: AbortSignal) =>
      this.#lane.run({ waitMs: callTimeoutMs / WAIT_SHARE, signal, whose: accountId }, () => send(signal));
    const answer = await within(callTimeoutMs, inItsTurn).then(
      (said) => this.#heard(true, readable(question, said)),
      (fault) => {
        const why = unavailable(whyOf(fault));
        // One that found no free place says nothing about whoever is asked.
        return isSent ? this.#heard(!(fault instanceof GivenUp), why) : why;
      },
    );
    return { answer, isSent };
  }

  #heard(isInTime: boolean, answer: CheckAnswer): CheckAnswer {
    this.#silences.tell(REGISTER, isInTime);
    return answer;
  }

  /** An answer that was paid for is not thrown away because its record could not be written. */
  async #keep({ accountId, question, askedFor }: Ask, answer: CheckAnswer): Promise<void> {
    const { ids, clock, log } = this.#parts.ctx;
    const { kind, payoutType, country } = question;
    const asked = { accountId, checkId: ids.next(), kind, payoutType, country, askedFor, askedAt: clock.now() };
    await this.#record
      .submit({ ...asked, outcome: outcomeOf(answer) })
      .catch((fault) => log.error('an account check was not recorded', { account_id: accountId, kind }, fault));
  }
}

function outcomeOf(answer: CheckAnswer): AskedCheck['outcome'] {
  return answer.kind === 'not_found' || answer.kind === 'unavailable' ? answer.kind : 'found';
}

/** Of others only the class of a fault: its message may hold anything, names included. */
function whyOf(fault: unknown): string {
  if (fault instanceof GivenUp) return fault.message;
  return `fault: ${fault instanceof Error ? fault.name : 'other'}`;
}

function unavailable(why: string): CheckAnswer {
  return { kind: 'unavailable', why };
}
