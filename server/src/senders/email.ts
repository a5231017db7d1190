/**
 * E-mail addresses, checked in linear time: the length first, then the parts. Whether an address exists nobody can tell
 * by looking at it, so this only keeps out what cannot be one. Spec: Sender (email).
 */

const MAX_EMAIL_CHARS = 254;
const MAX_LOCAL_CHARS = 64;
const MAX_LABEL_CHARS = 63;
const LOCAL = /^[^\s@"(),:;<>[\\\]]+$/u;
const LABEL = /^[\p{L}\p{N}-]+$/u;

export function isEmail(text: string): boolean {
  if (text.length > MAX_EMAIL_CHARS) return false;
  const at = text.indexOf('@');
  const local = text.slice(0, at);
  if (at < 1 || at > MAX_LOCAL_CHARS || !LOCAL.test(local)) return false;
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false;
  const labels = text.slice(at + 1).split('.');
  return labels.length >= 2 && labels.every(isLabel);
}

function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL_CHARS && LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-');
}
