/**
 * Bitcoin addresses with their check sums: base58 (of the main network: first letter 1 or 3) and segwit (bc1...). What
 * is sent to a mistyped address is lost for good, so a pattern alone would not do.
 */
import { createHash } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32_WEIGHTS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32_SUM = 1;
const BECH32M_SUM = 0x2bc830a3;

interface Network {
  readonly base58: RegExp;
  /** What a base58 address begins with as bytes: paid to a key, paid to a script. */
  readonly versions: readonly number[];
  readonly segwit: RegExp;
  /** The letters before the 1 of segwit, spread out as the check sum wants them. */
  readonly spread: readonly number[];
}

const MAIN_NETWORK: Network = {
  base58: /^[13][1-9A-HJ-NP-Za-km-z]{25,34}$/,
  versions: [0x00, 0x05],
  segwit: /^bc1[ac-hj-np-z02-9]{11,71}$/,
  spread: [3, 3, 0, 2, 3],
};
export const TEST_NETWORK: Network = {
  base58: /^[mn2][1-9A-HJ-NP-Za-km-z]{25,34}$/,
  versions: [0x6f, 0xc4],
  segwit: /^tb1[ac-hj-np-z02-9]{11,71}$/,
  spread: [3, 3, 0, 20, 2],
};

const ADDRESS_BYTES = 21;
const CHECK_BYTES = 4;
const CHECK_CHARS = 6;

/** Of the main network: the only one on which anything is worth something. */
export function isBitcoinAddress(text: string): boolean {
  return isAddressOf(MAIN_NETWORK, text);
}

/** Also of the test network, for the sandbox. Open point OP-242. */
export function isBitcoinAddressOfAnyNetwork(text: string): boolean {
  return isAddressOf(MAIN_NETWORK, text) || isAddressOf(TEST_NETWORK, text);
}

function isAddressOf(network: Network, text: string): boolean {
  return /^(?:bc|tb)1/i.test(text) ? isSegwitAddress(network, text) : isBase58Address(network, text);
}

function isBase58Address({ base58, versions }: Network, text: string): boolean {
  if (!base58.test(text)) return false;
  let number = 0n;
  for (const letter of text) number = number * 58n + BigInt(BASE58.indexOf(letter));
  const hex = number.toString(16).padStart((ADDRESS_BYTES + CHECK_BYTES) * 2, '0');
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== ADDRESS_BYTES + CHECK_BYTES) return false;
  const payload = bytes.subarray(0, ADDRESS_BYTES);
  const version = payload[0];
  if (version === undefined || !versions.includes(version)) return false;
  return sha256(sha256(payload)).subarray(0, CHECK_BYTES).equals(bytes.subarray(ADDRESS_BYTES));
}

/** Version 0 ends in the check sum of BIP 173, later versions in that of BIP 350. */
function isSegwitAddress({ segwit, spread }: Network, text: string): boolean {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return false;
  if (!segwit.test(lower)) return false;
  const values = Array.from(lower.slice(3), (letter) => BECH32.indexOf(letter));
  const version = values[0] ?? 0;
  const programBits = (values.length - 1 - CHECK_CHARS) * 5;
  const programBytes = Math.floor(programBits / 8);
  if (version > 16 || programBytes < 2 || programBytes > 40 || programBits % 8 > 4) return false;
  if (version === 0 && programBytes !== 20 && programBytes !== 32) return false;
  return checkSum([...spread, ...values]) === (version === 0 ? BECH32_SUM : BECH32M_SUM);
}

/** Of BIP 173, without the constant at its end. */
export function checkSum(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, weight] of BECH32_WEIGHTS.entries()) if ((top >>> bit) & 1) sum ^= weight;
  }
  return sum;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
