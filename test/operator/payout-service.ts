/** API, payout engine and operator listener on one database and one clock. */
import { operatorContext } from '../../server/src/operator/command.ts';
import type { PayoutProvider } from '../../server/src/providers/payout-provider.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { fundPayout } from '../support/payouts.ts';
import type { RecipientView } from '../support/transactions.ts';
import { at, openListener } from './support.ts';

export async function startPayoutService(options: {
  readonly providers?: readonly PayoutProvider[];
  readonly flags?: Readonly<Record<string, string>>;
  readonly maxJourneyMs?: number;
}) {
  const { db } = await freshDatabase();
  const app = await startApp({ db, ...options });
  const { metrics } = app.ctx;
  app.engine.health.showIn(metrics);
  const { health, work } = app.engine;
  const listener = await openListener(operatorContext(app.ctx), { metrics, health, takers: work.takers });
  const { call } = listener;

  /** An account with 1,000 USD and a payout of 100 USD of it, brought as far as it goes by itself. */
  async function payTo(lastName: string, prepare: (recipient: RecipientView) => void = () => undefined) {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const transaction = await fundPayout(account, lastName);
    prepare(transaction.recipient);
    await app.engine.run();
    return { account, transaction, recipient: transaction.recipient };
  }

  const order = (recipient: { readonly id: string }, what: string, body?: unknown, commandId?: string) =>
    call('POST', `/operator/recipients/${recipient.id}/${what}`, body, commandId === undefined ? {} : { commandId });

  /** As operators see it: the state, and where its money is. */
  async function shown({ id }: { readonly id: string }) {
    const { body } = await call('GET', `/operator/recipients/${id}`);
    const attempts = at(body, 'attempts');
    if (!Array.isArray(attempts)) throw new Error(`no attempts: ${JSON.stringify(body)}`);
    return { recipient: Object(at(body, 'recipient')), attempts: attempts.map(Object) };
  }

  return { db, app, ...listener, payTo, order, shown };
}
