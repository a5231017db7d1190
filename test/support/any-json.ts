/** Any JSON and any text, for tests that send what nobody thought of. */
import fc from 'fast-check';

/** With what is no character, what cannot be stored, what moves a terminal, and a digit that is none of ours. */
export const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', 'a\u0000', '\u001b', '\u001e', '٣'),
);

const anyName = fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor', 'id', 'errors'));

export const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, -1e308, 1e-7, Number.MAX_SAFE_INTEGER),
    anyText,
    fc.array(tie('value')),
    fc.dictionary(anyName, tie('value')),
  ),
})).value;
