/** A provider that says what a test tells it to say, remembers every order, and calls back with a token of its own. */
import type {
  CallbackNews,
  CallbackRequest,
  PayoutAnswer,
  PayoutOrder,
  PayoutProvider,
} from '../../server/src/providers/payout-provider.ts';

export const CALLBACK_TOKEN = 'the provider itself';

export class ScriptedProvider implements PayoutProvider {
  readonly name: string;
  /** What it says to whatever it is asked or sent. */
  says: PayoutAnswer = { kind: 'paid' };
  /** The orders that were sent, with repetitions. */
  readonly orders: PayoutOrder[] = [];

  constructor(name = 'scripted') {
    this.name = name;
  }

  async submit(order: PayoutOrder): Promise<PayoutAnswer> {
    this.orders.push(order);
    return this.says;
  }

  async status(): Promise<PayoutAnswer> {
    return this.says;
  }

  async probe(): Promise<boolean> {
    return true;
  }

  /** The reference of the last order for that recipient. */
  referenceFor({ id }: { readonly id: string }): string {
    const order = this.orders.findLast(({ recipientId }) => recipientId === id);
    if (order === undefined) throw new Error(`no order for ${id}`);
    return order.reference;
  }

  /** The body is JSON, a list of news; a token in a header stands for a signature. */
  parseCallback({ headers, rawBody }: CallbackRequest): readonly CallbackNews[] | undefined {
    if (headers['x-token'] !== CALLBACK_TOKEN) return undefined;
    const news: unknown = JSON.parse(rawBody.toString('utf8'));
    if (!Array.isArray(news)) throw new TypeError('no list');
    return news.map(({ reference, answer }) => ({ reference, answer: { ...answer, ...paidMinorOf(answer) } }));
  }
}

/** JSON has no whole numbers of that size. */
function paidMinorOf({ paidMinor }: { paidMinor?: string }) {
  return paidMinor === undefined ? {} : { paidMinor: BigInt(paidMinor) };
}
