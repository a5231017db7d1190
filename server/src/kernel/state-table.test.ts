import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from './assert.ts';
import { CREATION, stateTable } from './state-table.ts';

const STATES = [
  { state: 'shut', meaning: 'nobody comes in' },
  { state: 'open', meaning: 'everybody comes in' },
  { state: 'broken', meaning: 'nobody knows' },
  { state: 'gone', meaning: 'there is no door any more' },
] as const;

const door = stateTable({
  of: 'door',
  states: STATES,
  groups: { whole: ['shut', 'open'] },
  transitions: [
    { move: 'build', from: [CREATION], trigger: 'carpenter', to: ['shut'] },
    { move: 'push', from: ['shut'], trigger: 'visitor', to: ['open'] },
    { move: 'demolish', from: ['whole'], trigger: 'owner', to: ['broken', 'gone'] },
  ],
  added: [{ move: 'push', from: ['open'], trigger: 'wind', to: ['shut'], openPoint: 'OP-1' }],
});

describe('a state table', () => {
  it.each([
    [CREATION, 'build', 'shut'],
    ['shut', 'push', 'open'],
    ['open', 'push', 'shut'],
    ['shut', 'demolish', 'broken'],
    ['open', 'demolish', 'broken'],
  ] as const)('leads from %s by %s to %s', (from, move, to) => {
    expect(door.move(from, move)).toBe(to);
    expect(door.mustMove(from, move)).toBe(to);
  });

  it.each([
    ['shut', 'build'],
    [CREATION, 'push'],
    ['broken', 'push'],
    ['gone', 'demolish'],
  ] as const)('has no move from %s by %s', (from, move) => {
    expect(door.move(from, move)).toBeUndefined();
    expect(() => door.mustMove(from, move)).toThrow(BrokenInvariant);
    expect(() => door.mustMove(from, move)).toThrow(`door: no such move: ${move} from ${from}`);
  });

  it('goes through the targets of a row one after the other', () => {
    expect(door.mustMove(door.mustMove('open', 'demolish'), 'demolish')).toBe('gone');
  });

  it('names the states in which a move may begin, without those that it only passes', () => {
    expect(door.sources('demolish')).toEqual(['shut', 'open']);
    expect(door.sources('push')).toEqual(['shut', 'open']);
    expect(door.sources('build')).toEqual([]);
  });

  it('knows which states are neighbours', () => {
    expect(door.leads('shut', 'open')).toBe(true);
    expect(door.leads('broken', 'gone')).toBe(true);
    expect(door.leads('shut', 'gone')).toBe(false);
  });

  it('knows the states that nothing leaves', () => {
    expect(door.states.filter((state) => door.isFinal(state))).toEqual(['gone']);
  });
});

describe('a state table is refused', () => {
  const row = { trigger: 'test', openPoint: 'OP-1' } as const;
  const build =
    (over: { from?: string[]; to?: string[]; groups?: Record<string, string[]>; states?: string[] }) => () =>
      stateTable<string, string, string>({
        of: 'test',
        states: (over.states ?? ['a', 'b', 'c']).map((state) => ({ state, meaning: '' })),
        groups: over.groups ?? {},
        transitions: [{ ...row, move: 'go', from: ['a'], to: ['b'] }],
        added: [{ ...row, move: 'go', from: over.from ?? ['c'], to: over.to ?? ['a'] }],
      });

  it('not at all when it is in order', () => {
    expect(build({})).not.toThrow();
  });

  it('unless a row repeats what another row says', () => {
    expect(build({ from: ['a'], to: ['b'] })).not.toThrow();
  });

  it.each([
    ['a move leads from one state to two', { from: ['a'], to: ['c'] }, 'two targets for go from a'],
    ['a row begins in a state that does not exist', { from: ['x'] }, 'missing: test: state or group x'],
    ['a row begins nowhere', { from: [] }, 'go begins nowhere'],
    ['a row begins in an empty group', { from: ['none'], groups: { none: [] } }, 'go begins nowhere'],
    ['a row leads to a state that does not exist', { to: ['x'] }, 'unknown state x'],
    ['a row leads nowhere', { to: [] }, 'go leads nowhere'],
    ['a group has the name of a state', { groups: { a: ['b'] } }, 'a is both a state and a group'],
    ['a group has the name of the creation', { groups: { [CREATION]: ['b'] } }, 'is both a state and a group'],
    ['a state is listed twice', { states: ['a', 'b', 'c', 'a'] }, 'a state is listed twice'],
  ])('when %s', (_, over, message) => {
    expect(build(over)).toThrow(message);
  });
});
