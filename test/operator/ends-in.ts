/** What `transaction show` tells of the end of a transaction. */
import { expect } from 'vitest';
import { type Answer, at } from './support.ts';

export function endsIn({ status, body }: Answer) {
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    state: at(body, 'transaction', 'state'),
    ended_at: at(body, 'transaction', 'ended_at'),
    endings: at(body, 'endings'),
    refunds: at(body, 'refunds'),
  };
}
