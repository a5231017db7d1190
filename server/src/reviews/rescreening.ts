/**
 * Screening everybody again when the lists have changed: account by account, a few senders at a time, until none is
 * left that was screened with another version. What is left is told by the rows themselves, so that any process can go
 * on where another one stopped. A process does this once for each version that it loads, and at its start: two that
 * have loaded different versions for a moment do not work against each other. Open point OP-180.
 */
import { noLists, type SenderScreening } from '../screening/sender-screening.ts';
import { accountsToRescreen } from '../senders/checks.ts';
import { type CheckTurn, MAX_CHECKS } from './check-apart.ts';
import { type CheckContext, rescreenSenders } from './check-senders.ts';

const ACCOUNTS_AT_ONCE = 100;

export class Rescreening {
  readonly #ctx: CheckContext;
  readonly #screening: SenderScreening;
  #accounts: string[] = [];
  #version = noLists.version();
  #isDone = true;

  constructor(ctx: CheckContext, screening: SenderScreening) {
    this.#ctx = ctx;
    this.#screening = screening;
  }

  /** Screens some of those that are left. Undefined: there is nothing to do, or others are doing it. */
  async turn(): Promise<CheckTurn | undefined> {
    const version = this.#screening.version();
    if (version !== this.#version) {
      this.#version = version;
      this.#accounts = [];
      // Without lists nobody can be found.
      this.#isDone = version === noLists.version();
    }
    if (this.#isDone) return undefined;
    if (this.#accounts.length === 0) {
      this.#accounts = await accountsToRescreen(this.#ctx, { version, limit: ACCOUNTS_AT_ONCE });
      this.#isDone = this.#accounts.length === 0;
    }
    const [accountId] = this.#accounts;
    if (accountId === undefined) return undefined;
    const turn = await rescreenSenders(this.#ctx, this.#screening, accountId, version);
    if (turn.count < MAX_CHECKS) this.#accounts.shift();
    return turn.count === 0 ? undefined : turn;
  }
}
