import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressHeaders, type AddressPolicy, MAX_SIGNED_URLS, signedUrls } from './signed-urls.ts';

const NO_HEADERS: AddressHeaders = { host: undefined, forwardedProto: undefined, forwardedHost: undefined };
const LIVE: AddressPolicy = { publicUrl: 'https://api.example.test', trustProxy: false, acceptHost: false };
const SANDBOX: AddressPolicy = { publicUrl: null, trustProxy: false, acceptHost: true };
const PROXIED: AddressPolicy = { publicUrl: null, trustProxy: true, acceptHost: false };

function urls(policy: AddressPolicy, headers: Partial<AddressHeaders>, target = '/v1/accounts'): string[] {
  return [...signedUrls(policy, { ...NO_HEADERS, ...headers }, target)];
}

describe('the address that a caller signed', () => {
  it('is the public one, with and without its default port', () => {
    expect(urls(LIVE, {})).toEqual([
      'https://api.example.test/v1/accounts',
      'https://api.example.test:443/v1/accounts',
    ]);
    expect(urls({ ...LIVE, publicUrl: 'https://api.example.test:443' }, {})).toEqual([
      'https://api.example.test:443/v1/accounts',
      'https://api.example.test/v1/accounts',
    ]);
    expect(urls({ ...LIVE, publicUrl: 'https://api.example.test:8443' }, {})).toEqual([
      'https://api.example.test:8443/v1/accounts',
    ]);
    expect(urls({ ...LIVE, publicUrl: 'http://[::1]' }, {})).toEqual([
      'http://[::1]/v1/accounts',
      'http://[::1]:80/v1/accounts',
    ]);
  });

  it('keeps the path of a public address, which a proxy takes away', () => {
    expect(urls({ ...LIVE, publicUrl: 'https://example.test/pay' }, {})).toEqual([
      'https://example.test/pay/v1/accounts',
      'https://example.test:443/pay/v1/accounts',
    ]);
  });

  it('in live mode is never taken from headers of the caller', () => {
    const headers = { host: 'evil.test', forwardedProto: 'https', forwardedHost: 'evil.test' };
    expect(urls(LIVE, headers).filter((url) => url.includes('evil'))).toEqual([]);
    expect(urls({ ...LIVE, publicUrl: null }, headers)).toEqual([]);
  });

  it('in the sandbox may be what the caller put into the Host header', () => {
    expect(urls(SANDBOX, { host: '127.0.0.1:3000' })).toEqual(['http://127.0.0.1:3000/v1/accounts']);
    expect(urls(SANDBOX, { host: 'localhost' })).toContain('http://localhost:80/v1/accounts');
    expect(urls({ ...SANDBOX, publicUrl: 'http://sandbox.test' }, { host: 'localhost:3000' })).toEqual([
      'http://sandbox.test/v1/accounts',
      'http://localhost:3000/v1/accounts',
      'http://sandbox.test:80/v1/accounts',
    ]);
  });

  it('behind a trusted proxy is what the forwarded headers say', () => {
    const headers = { host: 'internal:3000', forwardedProto: 'https', forwardedHost: 'api.example.test' };
    expect(urls(PROXIED, headers)).toEqual([
      'https://api.example.test/v1/accounts',
      'https://api.example.test:443/v1/accounts',
    ]);
    expect(urls(PROXIED, { ...headers, forwardedProto: 'https, http', forwardedHost: 'api.example.test, b' })[0]).toBe(
      'https://api.example.test/v1/accounts',
    );
    expect(urls(PROXIED, { ...headers, forwardedHost: undefined })).toEqual(['https://internal:3000/v1/accounts']);
    expect(urls(PROXIED, { host: 'internal:3000' })).toEqual([]);
  });

  it.each(['ftp', 'javascript', '', 'https://x', '__proto__'])('is never made from the scheme %j', (forwardedProto) => {
    expect(urls(PROXIED, { forwardedProto, forwardedHost: 'api.example.test' })).toEqual([]);
  });

  it.each(['', 'a b', 'a/b', 'a?b', 'user@host', 'x'.repeat(300), 'host:port', '[::1'])(
    'is never made from the host %j',
    (host) => {
      expect(urls(SANDBOX, { host })).toEqual([]);
      expect(urls(PROXIED, { forwardedProto: 'https', forwardedHost: host })).toEqual([]);
    },
  );

  it.each([
    ['the five characters that one library signs as they are', '?a=%21%27%28%29%2A', "?a=!'()*"],
    ['the same in lower case', '?a=%2a%2A', '?a=**'],
    ['keys in their order', '?page=2&external_id=x', '?external_id=x&page=2'],
    ['+ for a space', '?external_id=a%20b', '?external_id=a+b'],
    ['lists with brackets', '?state=error&state=pending&page=1', '?page=1&state%5B%5D=error&state%5B%5D=pending'],
    ['brackets that were sent as they are', '?state[]=error', '?state%5B%5D=error'],
    ['a tilde as it is and a star escaped', '?a=~*', '?a=~%2A'],
    ['a key without a value', '?a', '?a='],
    ['letters beyond ASCII', '?a=Zo%c3%ab', '?a=Zo%C3%AB'],
  ])('is also tried with %s', (_, sent, signed) => {
    const tried = urls(LIVE, {}, `/v1/transactions${sent}`);
    expect(tried[0]).toBe(`https://api.example.test/v1/transactions${sent}`);
    expect(tried).toContain(`https://api.example.test/v1/transactions${signed}`);
  });

  it('is not changed in its path', () => {
    expect(urls(LIVE, {}, '/v1/accounts/USD%3A%3APartner%21')).toEqual([
      'https://api.example.test/v1/accounts/USD%3A%3APartner%21',
      'https://api.example.test:443/v1/accounts/USD%3A%3APartner%21',
    ]);
  });

  it('is tried in a bounded number of forms, each once, whatever was sent', () => {
    const header = fc.option(fc.string(), { nil: undefined });
    const policy = fc.record({
      publicUrl: fc.constantFrom(null, 'https://a.test', 'http://a.test:80', 'https://a.test/x'),
      trustProxy: fc.boolean(),
      acceptHost: fc.boolean(),
    });
    const headers = fc.record({
      host: fc.oneof(header, fc.constant('a.test')),
      forwardedProto: fc.oneof(header, fc.constantFrom('http', 'https')),
      forwardedHost: fc.oneof(header, fc.constant('b.test')),
    });
    fc.assert(
      fc.property(policy, headers, fc.webPath(), fc.webQueryParameters(), (one, two, path, query) => {
        const tried = urls(one, two, `${path}?${query}`);
        expect(tried.length).toBeLessThanOrEqual(MAX_SIGNED_URLS);
        expect(new Set(tried).size).toBe(tried.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not spend long on a query of many pairs', () => {
    const query = Array.from({ length: 5_000 }, (_, index) => `k${index}=v`).join('&');
    expect(urls(LIVE, {}, `/v1/transactions?${query}`)).toHaveLength(2);
  });
});
