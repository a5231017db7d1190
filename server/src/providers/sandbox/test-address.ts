/**
 * Bitcoin addresses for the sandbox: of the test network, so that no wallet with real money takes them, and made of a
 * hash, so that nobody has a key to them. Segwit version 0 of BIP 173 with 20 bytes, each text its own.
 */
import { createHash } from 'node:crypto';
import { BECH32, checkSum, TEST_NETWORK } from '../../corridors/bitcoin-address.ts';

const VERSION = 0;
const PROGRAM_BYTES = 20;
const CHECK_CHARS = 6;
const BITS = 5;
const MASK = 31;

export function testAddressOf(text: string): string {
  const program = createHash('sha256').update(text).digest().subarray(0, PROGRAM_BYTES);
  const values = [VERSION, ...inFives(program)];
  const sum = checkSum([...TEST_NETWORK.spread, ...values, ...Array<number>(CHECK_CHARS).fill(0)]) ^ 1;
  const check = Array.from({ length: CHECK_CHARS }, (_, at) => (sum >>> (BITS * (CHECK_CHARS - 1 - at))) & MASK);
  return `tb1${[...values, ...check].map((value) => BECH32.charAt(value)).join('')}`;
}

/** Twenty bytes are exactly 32 times five bits. */
function inFives(bytes: Buffer): number[] {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: bits.length / BITS }, (_, at) =>
    Number.parseInt(bits.slice(at * BITS, (at + 1) * BITS), 2),
  );
}
