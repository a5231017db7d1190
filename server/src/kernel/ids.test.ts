import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstIdAt, formatVersion7, timeOrderedIds } from './ids.ts';

const UUID_VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MANY_IDS = 5_000;
const LATEST_TIME_MS = 2 ** 48 - 1;
const RUNS = 1_000;

describe('an id', () => {
  it('is a UUID of version 7, and never comes twice', () => {
    const ids = timeOrderedIds();
    const made = Array.from({ length: MANY_IDS }, () => ids.next());
    expect(made.filter((id) => !UUID_VERSION_7.test(id))).toEqual([]);
    expect(new Set(made).size).toBe(MANY_IDS);
  });

  it('that is made later sorts later, as text and so in every index', () => {
    let nowMs = 1_700_000_000_000;
    const ids = timeOrderedIds(() => nowMs++);
    const made = Array.from({ length: MANY_IDS }, () => ids.next());
    expect([...made].sort()).toEqual(made);
  });

  it('keeps its time and all of its chance but the six bits that say what it is', () => {
    const arbitrary = fc.tuple(
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      fc.integer({ min: 0, max: LATEST_TIME_MS }),
    );
    fc.assert(
      fc.property(arbitrary, ([random, timeMs]) => {
        const id = formatVersion7(random, timeMs);
        expect(id).toMatch(UUID_VERSION_7);
        const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
        expect(bytes.readUIntBE(0, 6)).toBe(timeMs);
        expect(bytes.readUInt8(6) & 0x0f).toBe((random[6] ?? 0) & 0x0f);
        expect(bytes.readUInt8(8) & 0x3f).toBe((random[8] ?? 0) & 0x3f);
        expect(bytes.subarray(9)).toEqual(Buffer.from(random).subarray(9));
      }),
      { numRuns: RUNS },
    );
  });

  it('is not lower than the first of its moment, and lower than that of the next', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LATEST_TIME_MS - 1 }), (timeMs) => {
        const id = timeOrderedIds(() => timeMs).next();
        expect(firstIdAt(timeMs) <= id).toBe(true);
        expect(id < firstIdAt(timeMs + 1)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('is not like any other of the same moment', () => {
    const ids = timeOrderedIds(() => 1_700_000_000_000);
    expect(new Set(Array.from({ length: MANY_IDS }, () => ids.next())).size).toBe(MANY_IDS);
  });
});
