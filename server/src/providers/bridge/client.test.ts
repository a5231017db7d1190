import { describe, expect, it } from 'vitest';
import { wasNeverConnected } from './client.ts';

const fault = (fields: object) => Object.assign(new Error('fault'), fields);

describe('that nothing can have been sent', () => {
  it.each([
    ['is proved by a name that is not found', fault({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), true],
    ['is proved by a connection that is refused', fault({ code: 'ECONNREFUSED', syscall: 'connect' }), true],
    [
      'is proved by a host that cannot be reached to connect',
      fault({ code: 'EHOSTUNREACH', syscall: 'connect' }),
      true,
    ],
    ['is proved by a certificate that is over', fault({ code: 'CERT_HAS_EXPIRED' }), true],
    ['is proved by a certificate of another name', fault({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), true],
    ['is proved by a certificate that nobody vouches for', fault({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), true],
    ['is proved by no connection in time', fault({ code: 'UND_ERR_CONNECT_TIMEOUT' }), true],
    [
      'is not proved by a host that is lost while an answer is awaited',
      fault({ code: 'EHOSTUNREACH', syscall: 'read' }),
      false,
    ],
    [
      'is not proved by a network that is lost while it is written',
      fault({ code: 'ENETUNREACH', syscall: 'write' }),
      false,
    ],
    ['is not proved by a reset', fault({ code: 'ECONNRESET', syscall: 'read' }), false],
    ['is not proved by anything else', 'fault', false],
  ])('%s', (_, thrown, isProved) => {
    expect(wasNeverConnected(thrown)).toBe(isProved);
  });

  it('is proved by several addresses only when all of them failed so', () => {
    const refused = fault({ code: 'ECONNREFUSED', syscall: 'connect' });
    expect(wasNeverConnected(new AggregateError([refused, refused]))).toBe(true);
    expect(wasNeverConnected(new AggregateError([refused, fault({ code: 'ECONNRESET', syscall: 'read' })]))).toBe(
      false,
    );
    expect(wasNeverConnected(new AggregateError([]))).toBe(false);
  });
});
