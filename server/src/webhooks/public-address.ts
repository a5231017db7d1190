/**
 * Which kind of network an IP address belongs to, from the registries of special-purpose addresses. What is in no row
 * and, for IPv6, within the global unicast space, is public. Everything that can wrap an IPv4 address is refused whole,
 * except the well-known prefix of NAT64, through which networks without IPv4 reach every receiver.
 */
import { BlockList, isIP, SocketAddress } from 'node:net';

export type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata service'
  | 'multicast'
  | 'shared'
  | 'benchmarking'
  | 'documentation'
  | 'translated'
  | 'reserved';

interface Range {
  readonly network: string;
  readonly prefix: number;
  readonly kind: Exclude<AddressKind, 'public'>;
  readonly source: string;
}

/** The first row that holds an address names its kind, so single addresses stand before the networks around them. */
export const IPV4_RANGES: readonly Range[] = [
  { network: '169.254.169.254', prefix: 32, kind: 'metadata service', source: 'instance metadata of several clouds' },
  { network: '100.100.100.200', prefix: 32, kind: 'metadata service', source: 'instance metadata of one cloud' },
  { network: '192.0.0.192', prefix: 32, kind: 'metadata service', source: 'instance metadata of one cloud' },
  // In a public network by its number, and yet it answers only the machines of one cloud.
  { network: '168.63.129.16', prefix: 32, kind: 'metadata service', source: 'host services of one cloud' },
  { network: '0.0.0.0', prefix: 8, kind: 'reserved', source: 'RFC 791, this network' },
  { network: '10.0.0.0', prefix: 8, kind: 'private', source: 'RFC 1918' },
  { network: '100.64.0.0', prefix: 10, kind: 'shared', source: 'RFC 6598' },
  { network: '127.0.0.0', prefix: 8, kind: 'loopback', source: 'RFC 1122' },
  { network: '169.254.0.0', prefix: 16, kind: 'link-local', source: 'RFC 3927' },
  { network: '172.16.0.0', prefix: 12, kind: 'private', source: 'RFC 1918' },
  { network: '192.0.0.0', prefix: 24, kind: 'reserved', source: 'RFC 6890, protocol assignments' },
  { network: '192.0.2.0', prefix: 24, kind: 'documentation', source: 'RFC 5737' },
  { network: '192.88.99.0', prefix: 24, kind: 'translated', source: 'RFC 7526, relays of 6to4' },
  { network: '192.168.0.0', prefix: 16, kind: 'private', source: 'RFC 1918' },
  { network: '198.18.0.0', prefix: 15, kind: 'benchmarking', source: 'RFC 2544' },
  { network: '198.51.100.0', prefix: 24, kind: 'documentation', source: 'RFC 5737' },
  { network: '203.0.113.0', prefix: 24, kind: 'documentation', source: 'RFC 5737' },
  { network: '224.0.0.0', prefix: 4, kind: 'multicast', source: 'RFC 5771' },
  { network: '240.0.0.0', prefix: 4, kind: 'reserved', source: 'RFC 1112; RFC 919 for the last, broadcast' },
];

export const IPV6_RANGES: readonly Range[] = [
  { network: 'fd00:ec2::254', prefix: 128, kind: 'metadata service', source: 'instance metadata of one cloud' },
  { network: 'fd20:ce::254', prefix: 128, kind: 'metadata service', source: 'instance metadata of one cloud' },
  { network: '::1', prefix: 128, kind: 'loopback', source: 'RFC 4291' },
  { network: '::', prefix: 128, kind: 'reserved', source: 'RFC 4291, unspecified' },
  { network: '::', prefix: 96, kind: 'translated', source: 'RFC 4291, IPv4-compatible' },
  { network: '::ffff:0:0', prefix: 96, kind: 'translated', source: 'RFC 4291, IPv4-mapped' },
  { network: '::ffff:0:0:0', prefix: 96, kind: 'translated', source: 'RFC 2765, IPv4-translated' },
  { network: '64:ff9b:1::', prefix: 48, kind: 'translated', source: 'RFC 8215, NAT64 of one network' },
  { network: '100::', prefix: 64, kind: 'reserved', source: 'RFC 6666, discarded' },
  { network: '2001:db8::', prefix: 32, kind: 'documentation', source: 'RFC 3849' },
  { network: '2001:2::', prefix: 48, kind: 'benchmarking', source: 'RFC 5180' },
  { network: '2001::', prefix: 32, kind: 'translated', source: 'RFC 4380, Teredo' },
  { network: '2001::', prefix: 23, kind: 'reserved', source: 'RFC 2928, protocol assignments' },
  { network: '2002::', prefix: 16, kind: 'translated', source: 'RFC 3056, 6to4' },
  { network: '3fff::', prefix: 20, kind: 'documentation', source: 'RFC 9637' },
  { network: '3ffe::', prefix: 16, kind: 'reserved', source: 'RFC 3701, given back' },
  { network: '5f00::', prefix: 16, kind: 'reserved', source: 'RFC 9602, segment routing' },
  { network: 'fc00::', prefix: 7, kind: 'private', source: 'RFC 4193' },
  { network: 'fe80::', prefix: 10, kind: 'link-local', source: 'RFC 4291' },
  { network: 'fec0::', prefix: 10, kind: 'reserved', source: 'RFC 3879, site-local' },
  { network: 'ff00::', prefix: 8, kind: 'multicast', source: 'RFC 4291' },
];

/** A list of its own for each row and family: one list for both would compare IPv4 addresses with mapped networks. */
const ipv4Rows = IPV4_RANGES.map((row) => ({ kind: row.kind, list: listOf(row, 'ipv4') }));
const ipv6Rows = IPV6_RANGES.map((row) => ({ kind: row.kind, list: listOf(row, 'ipv6') }));
const globalUnicast = listOf({ network: '2000::', prefix: 3 }, 'ipv6');

const NAT64_PREFIX = '64:ff9b::';
const NAT64_PREFIX_BITS = 96;
/** RFC 6052: the last 32 bits are an IPv4 address, and the rows for IPv4 hold behind the prefix as well. */
const nat64 = listOf({ network: NAT64_PREFIX, prefix: NAT64_PREFIX_BITS }, 'ipv6');
const nat64Rows = IPV4_RANGES.map(({ network, prefix }) =>
  listOf({ network: `${NAT64_PREFIX}${network}`, prefix: NAT64_PREFIX_BITS + prefix }, 'ipv6'),
);

function listOf({ network, prefix }: Pick<Range, 'network' | 'prefix'>, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list;
}

/** Undefined: the text is no address. An address with a zone names a network card of ours, so it is none either. */
export function addressKind(text: string): AddressKind | undefined {
  const family = text.includes('%') ? 0 : isIP(text);
  if (family === 4) {
    const address = new SocketAddress({ address: text, family: 'ipv4' });
    return ipv4Rows.find(({ list }) => list.check(address))?.kind ?? 'public';
  }
  return family === 6 ? ipv6Kind(new SocketAddress({ address: text, family: 'ipv6' })) : undefined;
}

function ipv6Kind(address: SocketAddress): AddressKind {
  const kind = ipv6Rows.find(({ list }) => list.check(address))?.kind;
  if (kind !== undefined) return kind;
  if (globalUnicast.check(address)) return 'public';
  if (!nat64.check(address)) return 'reserved';
  return nat64Rows.some((list) => list.check(address)) ? 'translated' : 'public';
}
