/** Memory for the texts of deliveries, shared by accounts. */
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from './delivery.ts';
import { TextRoom } from './text-room.ts';

const ROOM = 1_000;

function deliveriesOf(accountId: string, ...lengths: readonly number[]): ClaimedDelivery[] {
  return lengths.map((length, place) => ({
    accountId,
    eventId: `${place}`,
    webhookId: `webhook of ${accountId}`,
    objectId: 'object',
    sequence: place + 1,
    attempts: 0,
    tries: 0,
    nextAttemptAt: new Date(0),
    claimId: 'claim',
    url: 'https://receiver.example/',
    signer: undefined,
    event: 'transaction.created',
    eventAt: new Date(0),
    body: 'x'.repeat(length),
  }));
}

const lengthOf = ({ body }: ClaimedDelivery) => body.length;
const lengthsIn = (chains: readonly (readonly ClaimedDelivery[])[]) => chains.map((chain) => chain.map(lengthOf));

describe('of what is due', () => {
  it('an account is given half of the room, the last one that begins within it, and each chain from its beginning', () => {
    const room = new TextRoom(ROOM);
    const chains = [
      deliveriesOf('a', 200, 299),
      deliveriesOf('a', 100, 100),
      deliveriesOf('a', 1),
      deliveriesOf('b', 1),
    ];
    expect(lengthsIn(room.fitting(chains, lengthOf))).toEqual([[200, 299], [100], [1]]);
    expect(room.isFullFor('a')).toBe(false);
  });

  it('all of it is given where there is room', () => {
    const chains = [deliveriesOf('a', 200, 200), deliveriesOf('b', 499)];
    expect(lengthsIn(new TextRoom(ROOM).fitting(chains, lengthOf))).toEqual([[200, 200], [499]]);
  });

  it('one is given to an account that holds none, however long it is and however much others hold', () => {
    const room = new TextRoom(ROOM);
    room.hold([...deliveriesOf('a', 500), ...deliveriesOf('b', 500)]);
    const chains = [deliveriesOf('a', 1), deliveriesOf('b', 1), deliveriesOf('c', 9_999, 1)];
    expect(lengthsIn(room.fitting(chains, lengthOf))).toEqual([[9_999]]);
  });
});

describe('an account', () => {
  it('has no room from half of all on, and has it again when one of its own has ended', () => {
    const room = new TextRoom(ROOM);
    const held = deliveriesOf('a', 499, 1);
    room.hold(held);
    expect([room.isFullFor('a'), room.isFullFor('b')]).toEqual([true, false]);
    room.giveBack(held.slice(1));
    expect(room.isFullFor('a')).toBe(false);
  });

  it('has no room where others have taken all of it, unless it holds nothing', () => {
    const room = new TextRoom(ROOM);
    room.hold([...deliveriesOf('a', 499), ...deliveriesOf('b', 499), ...deliveriesOf('c', 2)]);
    expect(['a', 'b', 'c', 'd'].map((accountId) => room.isFullFor(accountId))).toEqual([true, true, true, false]);
  });
});
