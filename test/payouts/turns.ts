/** The reactions of scripted providers that many tests use, kind and unkind. */
import type { PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import { pays, type Turn } from './scripted-provider.ts';

export { cancels, pays, tells, updates } from './scripted-provider.ts';

export function takes(code?: string): Turn<PayoutAnswer> {
  return (order, book) => {
    book.take(order);
    return { kind: 'pending', ...(code !== undefined && { code }) };
  };
}

export function fails(code: string): Turn<PayoutAnswer> {
  return (order, book) => {
    book.fail(order, code);
    return { kind: 'failed', code };
  };
}

/** Turned down as a whole: nothing was taken. */
export function isDown(): PayoutAnswer {
  return { kind: 'failed', code: '3', isDown: true };
}

/** More, or less, than was ordered. */
export function paysOf(share: { readonly times: bigint; readonly over?: bigint }): Turn<PayoutAnswer> {
  return (order, book) => {
    book.pay(order, (order.amount.minor * share.times) / (share.over ?? 1n));
    return pays(order, book);
  };
}

/** The connection breaks before anything has arrived. */
export function isLost(): never {
  throw new Error('connection reset');
}

/** Does it, and the answer does not arrive. */
export function withoutAnswer(turn: Turn<PayoutAnswer>): Turn<PayoutAnswer> {
  return async (order, book) => {
    await turn(order, book);
    return isLost();
  };
}

/** An answer that ends in the middle of a word. */
export function halfWritten(turn: Turn<PayoutAnswer>): Turn<PayoutAnswer> {
  return async (order, book) => {
    await turn(order, book);
    return JSON.parse('{"kind":"pa"}');
  };
}

export function says<Answer>(answer: Answer): Turn<Answer> {
  return () => answer;
}

export const SILENCE: PayoutAnswer = { kind: 'unknown', why: 'silence' };

/** Something that a test lets happen when it wants to. */
export class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
  #reached: () => void = () => undefined;
  /** Somebody stands at the gate. */
  readonly reached = new Promise<void>((resolve) => {
    this.#reached = resolve;
  });

  /** The reaction, once the gate is open. */
  before<Answer>(turn: Turn<Answer>): Turn<Answer> {
    return async (order, book) => {
      this.#reached();
      await this.opened;
      return turn(order, book);
    };
  }

  /** The answer waits; what was done is done. */
  after<Answer>(turn: Turn<Answer>): Turn<Answer> {
    return async (order, book) => {
      const answer = await turn(order, book);
      this.#reached();
      await this.opened;
      return answer;
    };
  }
}
