import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressKind, IPV4_RANGES, IPV6_RANGES } from './public-address.ts';

describe('the table of networks', () => {
  it.each([...IPV4_RANGES, ...IPV6_RANGES])('$network/$prefix is $kind ($source)', ({ network, kind }) => {
    expect(addressKind(network)).not.toBe('public');
    expect(kind).not.toBe('public');
  });

  it.each([
    ['1.1.1.1', 'public'],
    ['9.255.255.255', 'public'],
    ['10.0.0.0', 'private'],
    ['11.0.0.0', 'public'],
    ['126.255.255.255', 'public'],
    ['128.0.0.0', 'public'],
    ['169.254.169.254', 'metadata service'],
    ['169.254.169.253', 'link-local'],
    ['168.63.129.15', 'public'],
    ['192.0.1.0', 'public'],
    ['198.17.255.255', 'public'],
    ['198.20.0.0', 'public'],
    ['223.255.255.255', 'public'],
    ['2001:200::1', 'public'],
    ['2003::1', 'public'],
    ['1fff::1', 'reserved'],
    ['2000::', 'public'],
    ['3fff:1000::', 'public'],
    ['::2', 'translated'],
    ['64:ff9b::10.1.2.3', 'translated'],
    ['64:ff9b::11.1.2.3', 'public'],
  ])('%s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });

  it.each(['', 'localhost', '1.2.3', '0x7f.0.0.1', '127.0.0.1 ', '::1%lo', 'fe80::1%eth0', '[::1]', '1.2.3.4/8'])(
    '%j is no address at all',
    (text) => {
      expect(addressKind(text)).toBeUndefined();
    },
  );
});

describe('an IPv4 address', () => {
  it('is never public when it is wrapped, but for NAT64, where it is what it wraps', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const kind = addressKind(ip);
        expect(addressKind(`::ffff:${ip}`)).not.toBe('public');
        expect(addressKind(`::${ip}`)).not.toBe('public');
        expect(addressKind(`64:ff9b:1::${ip}`)).not.toBe('public');
        expect(addressKind(`64:ff9b::${ip}`) === 'public').toBe(kind === 'public');
      }),
    );
  });
});
