/**
 * Requests that no honest client sends, made from a seed: wrong types, deep nesting, huge numbers, control characters,
 * invalid UTF-8, strange addresses, missing, doubled and broken headers. The same seed makes the same requests.
 */
import type { CallOptions } from '../support/signed-caller.ts';

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly options: CallOptions;
}

export interface Random {
  /** A whole number from 0 to below the bound. */
  below(bound: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** Mulberry32: small, and good enough to choose among nasty things. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
  return { below, pick: (choices) => choices[below(choices.length)] ?? choices[0] };
}

const PATHS = [
  '/v1/accounts',
  '/v1/accounts/USD',
  '/v1/things',
  '/v1/bare',
  '/v1/lists',
  '/v1/things/1',
  '/nowhere',
] as const;
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'] as const;
const TYPES = ['application/json', 'text/plain', 'application/json; charset=latin1', 'x', '*/*', ';', ''] as const;
const HEADERS = ['authorization-key', 'authorization-nonce', 'authorization-signature'] as const;
export const TEXTS = [
  '',
  ' ',
  'null',
  '-1',
  '1e999',
  '\u0001\u0002\u001f\u007f',
  '\ud800',
  '\u202e\u0000',
  "'; drop table accounts; --",
  '../../etc/passwd',
  '%s%n%x',
  '__proto__',
  'constructor',
  '😀'.repeat(50),
  'x'.repeat(5_000),
] as const;
export const NUMBERS = [
  '0',
  '-0',
  '1e308',
  '-1e-308',
  '1e400',
  '9'.repeat(400),
  '0.1',
  '00',
  'NaN',
  '1.',
  '0x10',
] as const;
const NAMES = [
  'thing',
  'debit',
  'name',
  'kind',
  'parts',
  '__proto__',
  'constructor',
  'toString',
  '',
  'a\\u0000b',
] as const;
export const SEGMENTS = [
  '%2e%2e',
  '%00',
  '%',
  '%zz',
  '%ff%fe',
  ':',
  ';',
  '\\',
  '..',
  '//',
  '?',
  '??',
  '%3F',
  '[]',
  '%F0%9F%92%B6',
] as const;
const VALUES = [
  '\u0080',
  '\u00ff',
  ',',
  ';;',
  '0',
  'a, b',
  'x'.repeat(4_000),
  'ab'.repeat(64),
  '[object Object]',
  '{}',
] as const;

export function hostileRequest(random: Random): HostileRequest {
  const method = random.pick(METHODS);
  const path = random.below(3) === 0 ? hostilePath(random) : random.pick(PATHS);
  return { method, path, options: { ...hostileBody(random), ...hostileHeaders(random) } };
}

function hostilePath(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(4) }, () => random.pick(SEGMENTS));
  return `${random.pick(PATHS)}${random.pick(['/', '?', '&', '?a='])}${parts.join(random.pick(['', '/', '&', '=']))}`;
}

export function hostileBody(random: Random): CallOptions {
  switch (random.below(6)) {
    case 0:
      return {};
    case 1:
      return { rawBody: Buffer.from(Array.from({ length: 1 + random.below(200) }, () => random.below(256))) };
    case 2:
      return { rawBody: random.pick(['[', '{"a":', '{"thing":[']).repeat(1 + random.below(3_000)) };
    default:
      return { rawBody: random.below(5) === 0 ? cutOff(random, hostileJson(random, 0)) : hostileJson(random, 0) };
  }
}

export function hostileJson(random: Random, depth: number): string {
  const inside = () => hostileJson(random, depth + 1);
  switch (random.below(depth > 6 ? 3 : 5)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return JSON.stringify(random.pick(TEXTS));
    case 2:
      return random.pick(['null', 'true', 'false', '{}', '[]', '""']);
    case 3:
      return `[${Array.from({ length: random.below(6) }, inside).join(',')}]`;
    default:
      return `{${Array.from({ length: random.below(6) }, () => `"${random.pick(NAMES)}":${inside()}`).join(',')}}`;
  }
}

export function cutOff(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  return bytes.subarray(0, random.below(bytes.length + 1));
}

/** Half of the requests are signed right, so that they get past the door. */
export function hostileHeaders(random: Random): CallOptions {
  const type = { 'content-type': random.pick(TYPES) };
  switch (random.below(10)) {
    case 0:
      return { headers: { ...type, [random.pick(HEADERS)]: null } };
    case 1:
      return { headers: { ...type, [random.pick(HEADERS)]: random.pick(VALUES) } };
    case 2:
      return { headers: type, extraHeaders: [[random.pick(HEADERS), random.pick(VALUES)]] };
    case 3:
      return { headers: { ...type, host: random.pick(['', 'x', 'a b', '[::1', 'evil.test:99999']) } };
    case 4:
      return { headers: type };
    default:
      return {};
  }
}
