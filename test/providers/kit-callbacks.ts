/**
 * The part of the kit about callbacks: only proved ones count, each says what it says, and order and repeats do no
 * harm.
 */
import { describe, expect, it } from 'vitest';
import type { CallbackNews, CallbackRequest, PayoutProvider } from '../../server/src/providers/payout-provider.ts';

/** What the far end says of one order, in its own words. */
export interface Told {
  readonly reference: string;
  readonly outcome: 'paid' | 'failed' | 'pending' | 'something else';
}

export interface CallbackSubject {
  readonly provider: PayoutProvider;
  /** A callback as the far end sends it; with another secret, or at another time. */
  readonly callback: (
    told: readonly Told[],
    over?: { readonly secret?: string; readonly at?: Date },
  ) => CallbackRequest;
  readonly now: () => Date;
}

const DAY_MS = 86_400_000;

const paid = (reference: string): Told => ({ reference, outcome: 'paid' });
const read = ({ provider }: CallbackSubject, request: CallbackRequest) => provider.parseCallback?.(request);
const words = (news: readonly CallbackNews[] | undefined) =>
  news?.map(({ reference, answer }) => `${reference} ${answer.kind}`);

export function callbackCases(make: () => Promise<CallbackSubject>): void {
  describe('callbacks', () => {
    it('tell the outcome of each order that they name', async () => {
      const subject = await make();
      const told: Told[] = [paid('a'), { reference: 'b', outcome: 'failed' }, { reference: 'c', outcome: 'pending' }];
      expect(words(read(subject, subject.callback(told)))).toEqual(['a paid', 'b failed', 'c pending']);
    });

    it('sent twice say the same twice', async () => {
      const subject = await make();
      const request = subject.callback([paid('a')]);
      expect(read(subject, request)).toEqual(read(subject, request));
      expect(words(read(subject, request))).toEqual(['a paid']);
    });

    it('that overtake each other each say their own', async () => {
      const subject = await make();
      const first = subject.callback([{ reference: 'a', outcome: 'pending' }]);
      const second = subject.callback([paid('a')]);
      expect(words(read(subject, second))).toEqual(['a paid']);
      expect(words(read(subject, first))).toEqual(['a pending']);
    });

    it('with a word that is not listed say nothing about the order', async () => {
      const subject = await make();
      const request = subject.callback([{ reference: 'a', outcome: 'something else' }]);
      expect(words(read(subject, request))).toEqual(['a unknown']);
    });
  });
  describe('callbacks that prove nothing', () => foreignCases(make));
}

function foreignCases(make: () => Promise<CallbackSubject>): void {
  it('of somebody else are not used', async () => {
    const subject = await make();
    expect(read(subject, subject.callback([paid('a')], { secret: 'x'.repeat(40) }))).toBeUndefined();
    expect(read(subject, { headers: {}, rawBody: Buffer.from('{}') })).toBeUndefined();
  });

  it('that were changed on the way are not used', async () => {
    const subject = await make();
    const request = subject.callback([paid('a')]);
    const rawBody = Buffer.from(request.rawBody.toString('utf8').replace('"a"', '"b"'));
    expect(rawBody.equals(request.rawBody)).toBe(false);
    expect(read(subject, { ...request, rawBody })).toBeUndefined();
  });

  it.each([-DAY_MS, DAY_MS])('of another day (%i ms off) are not used', async (offMs) => {
    const subject = await make();
    const at = new Date(subject.now().getTime() + offMs);
    expect(read(subject, subject.callback([paid('a')], { at }))).toBeUndefined();
  });

  it('with headers of any form do no harm', async () => {
    const subject = await make();
    const request = subject.callback([paid('a')]);
    for (const name of Object.keys(request.headers)) {
      for (const value of [undefined, '', 'x', ['a', 'b'], '9'.repeat(500)]) {
        expect(read(subject, { ...request, headers: { ...request.headers, [name]: value } })).toBeUndefined();
      }
    }
  });
}
