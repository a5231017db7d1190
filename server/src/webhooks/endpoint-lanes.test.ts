import { describe, expect, it } from 'vitest';
import { CLAIMED_PER_REQUEST } from './claim.ts';
import type { Chain, ClaimedDelivery } from './delivery.ts';
import { EndpointLanes } from './endpoint-lanes.ts';

const ANSWERED = { kind: 'answered', status: 200, headers: {}, body: '', tookMs: 1 } as const;
const TIMED_OUT = { kind: 'timed_out', tookMs: 1 } as const;
const ALIVE = { timeoutsInRow: 0 };

let made = 0;

function chain(webhookId: string, url = 'https://example.com/'): Chain {
  made += 1;
  const at = new Date(0);
  const delivery: ClaimedDelivery = {
    ...{ accountId: 'a', eventId: String(made), webhookId, objectId: String(made), sequence: 1, attempts: 0, tries: 0 },
    ...{ nextAttemptAt: at, claimId: 'c', url, signer: undefined, event: '', eventAt: at, body: '' },
  };
  return [delivery];
}

function startAll(lanes: EndpointLanes): string[] {
  const started: string[] = [];
  for (let next = lanes.next(); next !== undefined; next = lanes.next()) started.push(next[0].webhookId);
  return started;
}

function lanesWith(
  counts: Readonly<Record<string, number>>,
  bounds = { perEndpoint: 2, perOrigin: 16, inFlight: 100, timeoutMs: 10_000 },
): EndpointLanes {
  const lanes = new EndpointLanes(bounds);
  for (const [webhookId, count] of Object.entries(counts)) {
    for (let index = 0; index < count; index += 1) lanes.add(chain(webhookId), ALIVE);
  }
  return lanes;
}

describe('requests under way', () => {
  it('are bounded for each webhook', () => {
    expect(startAll(lanesWith({ a: 5, b: 1 })).toSorted()).toEqual(['a', 'a', 'b']);
  });

  it('are bounded for all together, and webhooks take turns', () => {
    const lanes = lanesWith({ a: 5, b: 5, c: 5 }, { perEndpoint: 5, perOrigin: 16, inFlight: 6, timeoutMs: 10_000 });
    expect(startAll(lanes)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('are one at a time where the last one got no answer, until one does', () => {
    const lanes = lanesWith({ a: 6 });
    expect(startAll(lanes)).toHaveLength(2);
    lanes.ended({ webhookId: 'a' }, TIMED_OUT);
    lanes.ended({ webhookId: 'a' }, TIMED_OUT);
    expect(startAll(lanes)).toHaveLength(1);
    lanes.ended({ webhookId: 'a' }, ANSWERED);
    expect(startAll(lanes)).toHaveLength(2);
  });

  it.each([
    ['one at a time', 'refuses after more than half of the time limit', { status: 500, tookMs: 5_001 }, 1],
    ['as many as before', 'refuses sooner', { status: 500, tookMs: 5_000 }, 2],
    ['as many as before', 'takes them slowly', { status: 200, tookMs: 9_900 }, 2],
  ])('are %s where the receiver %s', (_, __, answer, expected) => {
    const lanes = lanesWith({ a: 6 });
    expect(startAll(lanes)).toHaveLength(2);
    lanes.ended({ webhookId: 'a' }, { ...ANSWERED, ...answer });
    lanes.ended({ webhookId: 'a' }, { ...ANSWERED, ...answer });
    expect(startAll(lanes)).toHaveLength(expected);
  });

  it('are one at a time from the start where the webhook is known to time out', () => {
    const lanes = new EndpointLanes({ perEndpoint: 8, perOrigin: 16, inFlight: 100, timeoutMs: 10_000 });
    expect(lanes.freeFor({ webhookId: 'a', timeoutsInRow: 3 })).toBe(CLAIMED_PER_REQUEST);
    for (let index = 0; index < 4; index += 1) lanes.add(chain('a'), { timeoutsInRow: 3 });
    expect(startAll(lanes)).toHaveLength(1);
  });
});

describe('requests to one host', () => {
  const HOSTS = { perEndpoint: 4, perOrigin: 4, inFlight: 100, timeoutMs: 10_000 };
  const at = (host: string, webhookId: string) => chain(webhookId, `https://${host}/${webhookId}`);

  it('are no more than we may have connections to it, and its webhooks take turns', () => {
    const lanes = new EndpointLanes(HOSTS);
    for (const name of ['a', 'a', 'a', 'b', 'b', 'b', 'c']) lanes.add(at('one.example', name), ALIVE);
    expect(startAll(lanes)).toEqual(['a', 'b', 'c', 'a']);
    lanes.ended({ webhookId: 'c' }, ANSWERED);
    expect(startAll(lanes)).toEqual(['b']);
    lanes.ended({ webhookId: 'a' }, ANSWERED);
    lanes.ended({ webhookId: 'a' }, ANSWERED);
    expect(startAll(lanes)).toEqual(['a', 'b']);
  });

  it('keep none to another host waiting', () => {
    const lanes = new EndpointLanes(HOSTS);
    for (let index = 0; index < 9; index += 1) lanes.add(at('busy.example', 'a'), ALIVE);
    lanes.add(at('other.example', 'b'), ALIVE);
    expect(startAll(lanes).toSorted()).toEqual(['a', 'a', 'a', 'a', 'b']);
  });

  it('are counted for each port, and whatever the path', () => {
    const lanes = new EndpointLanes(HOSTS);
    for (const port of ['one.example', 'one.example:8443']) {
      for (let index = 0; index < 9; index += 1) lanes.add(at(port, `${port}-${index}`), ALIVE);
    }
    expect(startAll(lanes)).toHaveLength(8);
  });

  it('of webhooks that fail leave half of the connections to others', () => {
    const lanes = new EndpointLanes(HOSTS);
    for (let index = 0; index < 9; index += 1) lanes.add(at('shared.example', `dead-${index}`), { timeoutsInRow: 1 });
    expect(startAll(lanes)).toEqual(['dead-0', 'dead-1']);
    for (let index = 0; index < 3; index += 1) lanes.add(at('shared.example', 'good'), ALIVE);
    expect(startAll(lanes)).toEqual(['good', 'good']);
    lanes.ended({ webhookId: 'good' }, ANSWERED);
    expect(startAll(lanes)).toEqual(['good']);
    lanes.ended({ webhookId: 'dead-0' }, TIMED_OUT);
    expect(startAll(lanes)).toEqual(['dead-2']);
  });

  it('of a webhook that has begun to fail meanwhile are counted as such, all of them', () => {
    const lanes = new EndpointLanes(HOSTS);
    for (let index = 0; index < 3; index += 1) lanes.add(at('shared.example', 'dead'), ALIVE);
    expect(startAll(lanes)).toHaveLength(3);
    lanes.ended({ webhookId: 'dead' }, TIMED_OUT);
    lanes.add(at('shared.example', 'also-dead'), { timeoutsInRow: 1 });
    expect(startAll(lanes)).toEqual([]);
    lanes.ended({ webhookId: 'dead' }, TIMED_OUT);
    expect(startAll(lanes)).toEqual(['also-dead']);
  });
});

describe('a webhook', () => {
  it('gets nothing more while it holds more than half of what it can take, and is looked after when it can', () => {
    const lanes = lanesWith({ a: 2 * CLAIMED_PER_REQUEST });
    expect(lanes.full()).toEqual(['a']);
    startAll(lanes);
    for (let index = 1; index < CLAIMED_PER_REQUEST; index += 1) expect(lanes.done('a', 1)).toBe(false);
    expect(lanes.done('a', 1)).toBe(true);
    expect(lanes.full()).toEqual([]);
    expect(lanes.freeFor({ webhookId: 'a', timeoutsInRow: 0 })).toBe(CLAIMED_PER_REQUEST);
  });

  it('that is done with is forgotten', () => {
    const lanes = lanesWith({ a: 1 });
    startAll(lanes);
    lanes.ended({ webhookId: 'a' }, ANSWERED);
    lanes.done('a', 1);
    expect(lanes.freeFor({ webhookId: 'a', timeoutsInRow: 0 })).toBe(2 * CLAIMED_PER_REQUEST);
    expect(lanes.takeWaiting()).toEqual([]);
  });
});
