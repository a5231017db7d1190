/**
 * What a request presents to prove who sends it: three headers, each exactly once. Only their form is looked at here.
 * Spec: Authentication. Open points OP-62, OP-65.
 */
import { readSignature } from '../kernel/signature.ts';

export interface Presented {
  readonly key: string;
  readonly nonce: string;
  readonly signature: Uint8Array;
}

const KEY_HEADER = 'authorization-key';
const NONCE_HEADER = 'authorization-nonce';
const SIGNATURE_HEADER = 'authorization-signature';

/** Printable ASCII. Longer ones would fill the store of nonces, and other characters travel differently in headers. */
const NONCE_TEXT = /^[\x20-\x7e]{1,200}$/;
const KEY_TEXT = /^[\x21-\x7e]{1,100}$/;

/** What is wrong with the headers. A caller hears it: it says nothing of what is stored. */
export type HeaderFault =
  | 'headers_missing'
  | 'header_doubled'
  | 'key_malformed'
  | 'nonce_malformed'
  | 'signature_malformed';

/**
 * The fault when a header is missing, doubled or of a wrong form. Names and values alternate in the list; it is read
 * itself because the joined form hides that a header was doubled.
 */
export function readPresented(rawHeaders: readonly string[]): Presented | HeaderFault {
  let key: string | undefined;
  let nonce: string | undefined;
  let signature: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    const value = rawHeaders[at + 1];
    if (isHeader(name, KEY_HEADER)) {
      if (key !== undefined) return 'header_doubled';
      key = value;
    } else if (isHeader(name, NONCE_HEADER)) {
      if (nonce !== undefined) return 'header_doubled';
      nonce = value;
    } else if (isHeader(name, SIGNATURE_HEADER)) {
      if (signature !== undefined) return 'header_doubled';
      signature = value;
    }
  }
  if (key === undefined || nonce === undefined || signature === undefined) return 'headers_missing';
  if (key === '' || nonce === '' || signature === '') return 'headers_missing';
  if (!KEY_TEXT.test(key)) return 'key_malformed';
  if (!NONCE_TEXT.test(nonce)) return 'nonce_malformed';
  const bytes = readSignature(signature);
  return bytes === undefined ? 'signature_malformed' : { key, nonce, signature: bytes };
}

function isHeader(written: string | undefined, name: string): boolean {
  return written?.length === name.length && written.toLowerCase() === name;
}
