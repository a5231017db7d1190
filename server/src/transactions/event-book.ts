/** What a desk has to tell its callers, written with everything else and handed over after the commit. */
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Wake } from '../kernel/wake.ts';
import type { PayinEventName } from '../payins/events.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { type Outgoing, storeEvents, type TellSenders } from '../webhooks/hand-over.ts';
import type { EventRecord } from '../webhooks/outbox.ts';
import { payinEvent, recipientEvent, transactionEvent } from './events.ts';
import type { WholeTransaction } from './transaction.ts';

type Said = { readonly transactionId: string; readonly sequence: number } & (
  | { readonly about: 'transaction'; readonly event: `transaction.${string}` }
  | { readonly about: 'recipient'; readonly event: `recipient.${string}`; readonly recipientId: string }
);

export class EventBook {
  readonly #ctx: Pick<Context, 'ids' | 'catalogue'>;
  readonly #now: Date;
  readonly #said: Said[] = [];
  readonly #payinEvents: EventRecord[] = [];
  #tellSenders: TellSenders = () => undefined;

  constructor(ctx: Pick<Context, 'ids' | 'catalogue'>, now: Date) {
    this.#ctx = ctx;
    this.#now = now;
  }

  /** Its place among the events of the transaction is its count, as it is now. */
  ofTransaction({ transactionId, eventCount: sequence }: WholeTransaction, event: `transaction.${string}`): void {
    this.#said.push({ about: 'transaction', transactionId, event, sequence });
  }

  ofRecipient({ transactionId, recipientId, eventCount: sequence }: Recipient, event: `recipient.${string}`): void {
    this.#said.push({ about: 'recipient', transactionId, recipientId, event, sequence });
  }

  /** Shows the payin method as it is at this step. */
  ofPayin(method: PayinMethod, event: PayinEventName, transaction: WholeTransaction): void {
    this.#payinEvents.push(payinEvent(this.#ctx, event, method, transaction, this.#now));
  }

  /** All others are made now, last of all: an event shows its object as a read after the commit does. */
  async write(tx: Tx, transactions: ReadonlyMap<string, WholeTransaction>, outgoing?: Outgoing): Promise<void> {
    const records = this.#said.map((said) => ({
      ...this.#recordOf(said, present(transactions.get(said.transactionId), 'transaction at the desk')),
      sequence: said.sequence,
    }));
    this.#tellSenders = await storeEvents(tx, [...records, ...this.#payinEvents], outgoing);
  }

  /** To be called after the commit. */
  tell(wake: Wake): void {
    this.#tellSenders(wake);
  }

  #recordOf(said: Said, transaction: WholeTransaction): EventRecord {
    if (said.about === 'transaction') return transactionEvent(this.#ctx, said.event, transaction, this.#now);
    const recipient = transaction.recipients.find((each) => each.recipientId === said.recipientId);
    return recipientEvent(this.#ctx, said.event, present(recipient, 'recipient at the desk'), transaction, this.#now);
  }
}
