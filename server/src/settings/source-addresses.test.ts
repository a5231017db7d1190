import { describe, expect, it } from 'vitest';
import { parseSetting } from './parse.ts';
import { SETTINGS } from './table.ts';

const row = SETTINGS.find(({ key }) => key === 'webhooks.source_addresses');

describe('the source addresses of webhooks', () => {
  it.each([
    '203.0.113.7',
    '203.0.113.0/24',
    '0.0.0.0/0',
    '255.255.255.255/32',
    '2001:db8:5::/48',
    '2001:db8::1',
    '::1/128',
  ])('may hold %s', (address) => {
    expect(row && parseSetting(row, [address])).toEqual([address]);
  });

  it.each([
    'example.com',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.7/33',
    '203.0.113.7/',
    'abcd',
    'a:b',
    '2001:db8::/129',
    '2001:db8::1%eth0',
    '<b>',
    '',
  ])('may not hold %j', (address) => {
    expect(row && parseSetting(row, [address])).toBeUndefined();
  });
});
