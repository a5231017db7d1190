/** API, operators, lists and a receiver of webhooks on one database and one clock; checks run when a test says so. */
import { expect } from 'vitest';
import type { AccountTerms } from '../../server/src/accounts/account.ts';
import { operatorContext } from '../../server/src/operator/command.ts';
import type { CheckTurn } from '../../server/src/reviews/check-apart.ts';
import { checkDueSenders } from '../../server/src/reviews/check-senders.ts';
import { Rescreening } from '../../server/src/reviews/rescreening.ts';
import { addOperator, at, auditEntries, openListener } from '../operator/support.ts';
import { type App, startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, realWorker, registeredReceiver } from '../support/deliveries.ts';
import { read } from '../support/payouts.ts';
import { PERSON, PNG } from '../support/senders.ts';
import { scriptedScreening } from './scripted-screening.ts';

export const PAPERS = { documents: [{ upload: PNG, upload_file_name: 'passport.png' }] };

/** More turns than any test needs: work that never ends is a fault. */
const MAX_TURNS = 1_000;

interface SenderView {
  readonly id: string;
  readonly state: string;
  readonly state_reason: string | null;
  readonly [field: string]: unknown;
}

async function until(turn: () => Promise<CheckTurn | undefined>): Promise<CheckTurn[]> {
  const turns: CheckTurn[] = [];
  while (turns.length < MAX_TURNS) {
    const done = await turn();
    if (done === undefined || done.count === 0) return turns;
    turns.push(done);
  }
  throw new Error('the checks do not come to an end');
}

/** What callers do. */
function callers(app: App) {
  return {
    async newAccount(terms: Partial<AccountTerms>, balance = 100_000n) {
      const account = await app.newAccount({ terms, balances: { USD: balance } });
      const { receiver } = await registeredReceiver(account, ['sender.approved', 'sender.rejected']);
      return { ...account, receiver };
    },
    async newSender({ caller }: TestAccount, fields: object = {}): Promise<SenderView> {
      const answer = await caller.post('/v1/senders', { sender: { ...PERSON, ...fields } });
      expect(answer.status, answer.text).toBe(200);
      return Object(answer.body).object;
    },
    async readSender({ caller }: TestAccount, { id }: { readonly id: string }): Promise<SenderView> {
      return Object((await caller.get(`/v1/senders/${id}`)).body).object;
    },
    /** Of a transaction, after the engine has done what is due. */
    async stateOf(account: TestAccount, transaction: { readonly id: string }) {
      await app.engine.run();
      return (await read(account, transaction)).state;
    },
    async edit({ caller }: TestAccount, { id }: { readonly id: string }, fields: object): Promise<SenderView> {
      app.clock.advance(1_000);
      const answer = await caller.patch(`/v1/senders/${id}`, { sender: fields });
      expect(answer.status, answer.text).toBe(200);
      return Object(answer.body).object;
    },
  };
}

/** What operators do. */
function deciders(app: App, listener: Awaited<ReturnType<typeof openListener>>) {
  return {
    /** A decision; by ada unless told otherwise. */
    decide(
      what: 'approve' | 'reject' | 'ban' | 'lift',
      { id }: { readonly id: string },
      options: {
        readonly token?: string;
        readonly commandId?: string;
        readonly reason?: string;
        readonly asOf?: string;
      } = {},
    ) {
      app.clock.advance(1_000);
      const { reason = 'looked at the papers', asOf, ...callOptions } = options;
      return listener.call('POST', `/operator/senders/${id}/${what}`, { reason, as_of: asOf }, callOptions);
    },
    show: async ({ id }: { readonly id: string }) =>
      Object((await listener.call('GET', `/operator/senders/${id}`)).body),
    queue: async (query = '') => {
      const { status, body } = await listener.call('GET', `/operator/reviews${query}`);
      expect(status).toBe(200);
      return { items: Array.from(Object(at(body, 'items')), Object), next: at(body, 'next') };
    },
    audit: async ({ id }: { readonly id: string }) =>
      (await auditEntries(listener, `&subject=${id}`)).map(Object).reverse(),
  };
}

export async function startKyc(flags: Readonly<Record<string, string>> = {}) {
  const { db } = await freshDatabase();
  const app = await startApp({ db, flags });
  const operators = operatorContext(app.ctx);
  const listener = await openListener(operators);
  const bob = await addOperator(operators, 'bob');
  const screening = scriptedScreening();
  const rescreening = new Rescreening(app.ctx, screening);
  const deliveries = realWorker(app.ctx);
  return {
    db,
    app,
    ...listener,
    bob,
    screening,
    ...callers(app),
    ...deciders(app, listener),
    /** Runs all checks that are due. */
    check: () => until(() => checkDueSenders(app.ctx, screening)),
    /** Screens again whoever was screened with other lists. */
    rescreen: () => until(() => rescreening.turn()),
    deliver: () => deliverDue(deliveries),
  };
}

type Kyc = Awaited<ReturnType<typeof startKyc>>;

/** The names of the events that came, each with the state that its object shows. */
export function told({ receiver }: Awaited<ReturnType<Kyc['newAccount']>>): string[] {
  return receiver.received.map(({ body, isSigned }) => {
    expect(isSigned).toBe(true);
    return `${body.event} ${body.object['state']}`;
  });
}
