import { describe, expect, it } from 'vitest';
import { suggest } from './suggest.ts';

const KNOWN = ['port', 'host', 'operator.port', 'operator.host', 'database.pool_size', 'log.level', 'log.format'];

describe('the suggestion for an unknown name', () => {
  it.each([
    ['prot', 'port', 'two letters swapped'],
    ['prt', 'port', 'a letter left out'],
    ['operater.port', 'operator.port', 'a letter replaced'],
    ['operator.ports', 'operator.port', 'a letter too many'],
    ['pool_size', 'database.pool_size', 'the group left out'],
    ['db.poolSize', 'database.pool_size', 'another group and another style'],
    ['Log-Level', 'log.level', 'another style'],
  ])('%s leads to %s: %s', (name, near) => {
    expect(suggest(name, KNOWN)).toBe(near);
  });

  it.each(['zebra', 'proto', 'x', '', '....', 'p'.repeat(200), 'something.quite.else'])(
    '"%s" resembles nothing',
    (name) => {
      expect(suggest(name, KNOWN)).toBeUndefined();
    },
  );
});
