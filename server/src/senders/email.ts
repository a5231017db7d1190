/**
 * E-mail addresses, checked in linear time: the length first, then the parts. Whether an address exists nobody can tell
 * by looking at it, so this only keeps out what cannot be one. Spec: Sender (email).
 */

const MAX_EMAIL_CHARS = 254;
const MAX_LOCAL_CHARS = 64;
const MAX_LABEL_CHARS = 63;
const LOCAL = /^[^\s@"(),:;<>[\\\]]+$/u;
/**
 * Many scripts write vowels as marks, which stand behind a letter. The characters at the end are those that names of
 * hosts may have inside of some scripts: joiners, and points between letters (RFC 5892, appendix A).
 */
const LABEL = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00b7\u0375\u05f3\u05f4\u30fb\p{Join_Control}-]*$/u;

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
  return label.length <= MAX_LABEL_CHARS && LABEL.test(label) && !label.endsWith('-');
}
