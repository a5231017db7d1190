import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAddress, checkWebhookUrl, MAX_WEBHOOK_URL_CHARACTERS } from './address-policy.ts';
import { UndiciSender } from './undici-sender.ts';

/** What each hostile address is, where it leads, and the word that refuses it in live mode. */
const HOSTILE = [
  ['loopback', 'https://127.0.0.1/hook', 'not_public'],
  ['the end of loopback', 'https://127.255.255.254/', 'not_public'],
  ['loopback with a port', 'https://127.0.0.1:8443/', 'not_public'],
  ['loopback as one decimal number', 'https://2130706433/', 'not_public'],
  ['loopback as one hex number', 'https://0x7f000001/', 'not_public'],
  ['loopback as one octal number', 'https://017700000001/', 'not_public'],
  ['loopback in octal parts', 'https://0177.0.0.01/', 'not_public'],
  ['loopback in hex parts', 'https://0x7f.0x0.0x0.0x1/', 'not_public'],
  ['loopback in mixed parts', 'https://0x7f.0.0.01/', 'not_public'],
  ['loopback in two parts', 'https://127.1/', 'not_public'],
  ['loopback in three parts', 'https://127.0.1/', 'not_public'],
  ['loopback with a final dot', 'https://127.0.0.1./', 'not_public'],
  ['loopback in percent signs', 'https://%31%32%37.0.0.1/', 'not_public'],
  ['loopback with an encoded dot', 'https://127%2e0%2e0%2e1/', 'not_public'],
  ['loopback with ideographic dots', 'https://127。0。0。1/', 'invalid'],
  ['loopback with full-width digits', 'https://１２７.0.0.1/', 'invalid'],
  ['loopback in circled digits', 'https://①②⑦.0.0.1/', 'invalid'],
  ['this network', 'https://0.0.0.0/', 'not_public'],
  ['this network as zero', 'https://0/', 'not_public'],
  ['this network in hex', 'https://0x0/', 'not_public'],
  ['private, ten', 'https://10.0.0.1/', 'not_public'],
  ['private, ten in decimal', 'https://167772161/', 'not_public'],
  ['private, ten in two parts', 'https://10.1/', 'not_public'],
  ['private, 172', 'https://172.16.0.1/', 'not_public'],
  ['the end of private 172', 'https://172.31.255.255/', 'not_public'],
  ['private, 192', 'https://192.168.1.1/', 'not_public'],
  ['private, 192 in hex', 'https://0xc0a80101/', 'not_public'],
  ['link-local', 'https://169.254.1.1/', 'not_public'],
  ['the metadata service', 'https://169.254.169.254/latest/meta-data/', 'not_public'],
  ['the metadata service in decimal', 'https://2852039166/', 'not_public'],
  ['the metadata service in octal', 'https://0251.0376.0251.0376/', 'not_public'],
  ['a metadata service in shared space', 'https://100.100.100.200/', 'not_public'],
  ['a metadata service among protocols', 'https://192.0.0.192/', 'not_public'],
  ['the host of a cloud machine', 'https://168.63.129.16/', 'not_public'],
  ['a metadata service by name', 'https://metadata.google.internal/', 'not_public'],
  ['shared by a carrier', 'https://100.64.0.1/', 'not_public'],
  ['the end of shared', 'https://100.127.255.255/', 'not_public'],
  ['benchmarking', 'https://198.18.0.1/', 'not_public'],
  ['the end of benchmarking', 'https://198.19.255.255/', 'not_public'],
  ['documentation', 'https://192.0.2.1/', 'not_public'],
  ['documentation, second', 'https://198.51.100.7/', 'not_public'],
  ['documentation, third', 'https://203.0.113.9/', 'not_public'],
  ['a relay of 6to4', 'https://192.88.99.1/', 'not_public'],
  ['multicast', 'https://224.0.0.1/', 'not_public'],
  ['the end of multicast', 'https://239.255.255.255/', 'not_public'],
  ['reserved', 'https://240.0.0.1/', 'not_public'],
  ['broadcast', 'https://255.255.255.255/', 'not_public'],
  ['IPv6 loopback', 'https://[::1]/', 'not_public'],
  ['IPv6 loopback written out', 'https://[0:0:0:0:0:0:0:1]/', 'not_public'],
  ['IPv6 unspecified', 'https://[::]/', 'not_public'],
  ['IPv6 mapped loopback', 'https://[::ffff:127.0.0.1]/', 'not_public'],
  ['IPv6 mapped loopback in hex', 'https://[::ffff:7f00:1]/', 'not_public'],
  ['IPv6 mapped private', 'https://[::ffff:10.0.0.1]/', 'not_public'],
  ['IPv6 mapped public', 'https://[::ffff:8.8.8.8]/', 'not_public'],
  ['IPv6 compatible loopback', 'https://[::127.0.0.1]/', 'not_public'],
  ['IPv6 translated loopback', 'https://[::ffff:0:127.0.0.1]/', 'not_public'],
  ['NAT64 of loopback', 'https://[64:ff9b::127.0.0.1]/', 'not_public'],
  ['NAT64 of the metadata service', 'https://[64:ff9b::a9fe:a9fe]/', 'not_public'],
  ['NAT64 of zero', 'https://[64:ff9b::]/', 'not_public'],
  ['NAT64 of one network', 'https://[64:ff9b:1::8.8.8.8]/', 'not_public'],
  ['6to4 of loopback', 'https://[2002:7f00:1::]/', 'not_public'],
  ['6to4 of a private address', 'https://[2002:c0a8:101::1]/', 'not_public'],
  ['Teredo', 'https://[2001:0:7f00:1::1]/', 'not_public'],
  ['IPv6 private', 'https://[fd12:3456:789a::1]/', 'not_public'],
  ['IPv6 private, unassigned half', 'https://[fc00::1]/', 'not_public'],
  ['an IPv6 metadata service', 'https://[fd00:ec2::254]/', 'not_public'],
  ['IPv6 link-local', 'https://[fe80::1]/', 'not_public'],
  ['IPv6 with a zone', 'https://[fe80::1%25eth0]/', 'invalid'],
  ['IPv6 with a bare zone', 'https://[fe80::1%eth0]/', 'invalid'],
  ['IPv6 site-local', 'https://[fec0::1]/', 'not_public'],
  ['IPv6 multicast', 'https://[ff02::1]/', 'not_public'],
  ['IPv6 documentation', 'https://[2001:db8::1]/', 'not_public'],
  ['IPv6 documentation, new', 'https://[3fff::1]/', 'not_public'],
  ['IPv6 benchmarking', 'https://[2001:2::1]/', 'not_public'],
  ['IPv6 ORCHID', 'https://[2001:20::1]/', 'not_public'],
  ['IPv6 discarded', 'https://[100::1]/', 'not_public'],
  ['IPv6 of no registry', 'https://[4000::1]/', 'not_public'],
  ['localhost', 'https://localhost/', 'not_public'],
  ['localhost in capitals', 'https://LOCALHOST/', 'not_public'],
  ['localhost with a final dot', 'https://localhost./', 'not_public'],
  ['a name under localhost', 'https://hooks.localhost/', 'not_public'],
  ['a name under local', 'https://printer.local/', 'not_public'],
  ['a name under internal', 'https://db.prod.internal/', 'not_public'],
  ['a name under internal with a final dot', 'https://db.internal./', 'not_public'],
  ['a name under home.arpa', 'https://router.home.arpa/', 'not_public'],
  ['a hidden service', 'https://abcdefgh.onion/', 'not_public'],
  ['a single label', 'https://intranet/', 'not_public'],
  ['a name with a final dot', 'https://example.com./', 'invalid'],
  ['a name with an empty label', 'https://example..com/', 'invalid'],
  ['a name that is too long', `https://${'a.'.repeat(127)}com/`, 'invalid'],
  ['a label that is too long', `https://${'a'.repeat(64)}.com/`, 'invalid'],
  ['an address that is too long', `https://example.com/${'a'.repeat(MAX_WEBHOOK_URL_CHARACTERS)}`, 'invalid'],
  ['a public address in decimal', 'https://134744072/', 'invalid'],
  ['a public address in octal', 'https://010.010.010.010/', 'invalid'],
  ['five numbers', 'https://1.2.3.4.5/', 'invalid'],
  ['a number too large', 'https://256.256.256.256/', 'invalid'],
  ['credentials', 'https://user:secret@example.com/', 'credentials_in_address'],
  ['a user name', 'https://user@example.com/', 'credentials_in_address'],
  ['an empty user name', 'https://@example.com/', 'credentials_in_address'],
  ['a host that looks like another', 'https://example.com@127.0.0.1/', 'credentials_in_address'],
  ['a host behind two signs', 'https://a@b@127.0.0.1/', 'credentials_in_address'],
  ['a host behind an encoded sign', 'https://example.com%40127.0.0.1/', 'invalid'],
  ['a host behind a backslash', 'https://example.com\\@127.0.0.1/', 'invalid'],
  ['backslashes', 'https:\\\\127.0.0.1\\', 'invalid'],
  ['a fragment that hides a host', 'https://example.com#@127.0.0.1/', 'invalid'],
  ['a line break in the host', 'https://exam\nple.com/', 'invalid'],
  ['a header in the path', 'https://example.com/\r\nX-Evil: 1', 'invalid'],
  ['a tab in the scheme', 'ht\ttps://127.0.0.1/', 'invalid'],
  ['a leading space', ' https://example.com/', 'invalid'],
  ['a NUL', 'https://example.com/\u0000', 'invalid'],
  ['no slashes', 'https:127.0.0.1', 'invalid'],
  ['three slashes', 'https:///127.0.0.1/', 'invalid'],
  ['no scheme', '//127.0.0.1/', 'invalid'],
  ['no host', 'https://', 'invalid'],
  ['plain http', 'http://example.com/', 'https_required'],
  ['plain http to loopback', 'http://127.0.0.1/', 'https_required'],
  ['a file', 'file:///etc/passwd', 'invalid'],
  ['gopher', 'gopher://127.0.0.1:6379/_FLUSHALL', 'invalid'],
  ['data', 'data:text/plain,x', 'invalid'],
  ['script', 'javascript:alert(1)', 'invalid'],
  ['a socket file', 'unix:/var/run/docker.sock', 'invalid'],
  ['the port of mail', 'https://example.com:25/', 'invalid'],
  ['the port of remote shells', 'https://example.com:22/', 'invalid'],
  ['the port of plain http', 'https://example.com:80/', 'invalid'],
  ['port zero', 'https://example.com:0/', 'invalid'],
  ['a port too large', 'https://example.com:65536/', 'invalid'],
  ['nothing', '', 'invalid'],
] as const;

describe('in live mode an address is refused that is', () => {
  it.each(HOSTILE)('%s', async (_, url, word) => {
    expect(checkWebhookUrl(url, 'live')?.word).toBe(word);
  });

  it('any of these, also when it is to be sent to, before anything is asked or opened', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return ['127.0.0.1'];
    };
    const httpClient = new UndiciSender({ mode: 'live', resolve, exceptAddresses: ['127.0.0.1'] });
    for (const [, url] of HOSTILE) {
      const outcome = await httpClient.send({ url, headers: {}, body: '', timeoutMs: 1_000 });
      expect(outcome, url).toMatchObject({ kind: 'refused_address' });
    }
    expect(asked).toBe(0);
    await httpClient.close();
  });
});

describe('in live mode an address is accepted that is', () => {
  it.each([
    ['a name', 'https://example.com/hook'],
    ['a name with a path, a query and capitals', 'https://Hooks.Example.com/a/B?x=1&y=%20'],
    ['the vector of the published signature', 'https://merchant.example.test/hooks?x=1'],
    ['a name without a path', 'https://example.com'],
    ['a name with an encoded alphabet', 'https://xn--mnchen-3ya.example/'],
    ['the port of https', 'https://example.com:443/'],
    ['a port that any program may have', 'https://example.com:8443/'],
    ['a public address', 'https://8.8.8.8/'],
    ['just below a private network', 'https://172.15.255.255/'],
    ['just above a private network', 'https://172.32.0.0/'],
    ['just below a shared network', 'https://100.63.255.255/'],
    ['just above a shared network', 'https://100.128.0.0/'],
    ['a public IPv6 address', 'https://[2606:4700:4700::1111]/'],
    ['a public address behind NAT64', 'https://[64:ff9b::8.8.8.8]/'],
    ['a name that only begins like an inner one', 'https://localhost.example.com/'],
  ])('%s', (_, url) => {
    expect(checkWebhookUrl(url, 'live')).toBeUndefined();
  });
});

describe('in sandbox mode', () => {
  it.each([
    'http://127.0.0.1:3000/hook',
    'http://localhost:3000/',
    'http://[::1]:3000/',
    'http://192.168.1.20/',
    'http://host.docker.internal:8080/',
    'http://receiver/',
    'https://example.com/',
  ])('%s may be a receiver', (url) => {
    expect(checkWebhookUrl(url, 'sandbox')).toBeUndefined();
  });

  it.each([
    ['http://user:secret@localhost/', 'credentials_in_address'],
    ['http://169.254.169.254/', 'not_public'],
    ['http://[fd00:ec2::254]/', 'not_public'],
    ['http://224.0.0.1/', 'not_public'],
    ['http://0.0.0.0/', 'not_public'],
    ['http://localhost:0/', 'invalid'],
    ['ftp://localhost/', 'invalid'],
    ['http://localhost/#x', 'invalid'],
  ])('%s may not: %s', (url, word) => {
    expect(checkWebhookUrl(url, 'sandbox')?.word).toBe(word);
  });
});

describe('whatever is written', () => {
  it('the check answers, and what it accepts in live mode is https without credentials and inner numbers', () => {
    const text = fc.oneof(fc.webUrl({ validSchemes: ['http', 'https'] }), fc.string(), fc.string({ unit: 'binary' }));
    const url = fc.oneof(
      text,
      text.map((rest) => `https://${rest}`),
      fc.ipV4Extended().map((ip) => `https://${ip}/`),
    );
    fc.assert(
      fc.property(url, (address) => {
        if (checkWebhookUrl(address, 'live') !== undefined) return;
        const { protocol, username, password, hostname } = new URL(address);
        expect([protocol, username, password]).toEqual(['https:', '', '']);
        if (/^[\d.]+$/.test(hostname)) expect(checkAddress(hostname, 'live')).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});
