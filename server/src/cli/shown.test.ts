/** What a tenant writes cannot pretend to be a line of ours on an operator's terminal. */
import { expect, it } from 'vitest';
import { textAt } from './json.ts';
import { shown, shownJson, shownLines } from './shown.ts';
import { formatFields, formatTable } from './table.ts';

const FORGED = 'Ann\r\npaid\t100\u001b[2K\u202eevil\u2028\u0085';
const SEEN = 'Ann\\u000d\\u000apaid\\u0009100\\u001b[2K\\u202eevil\\u2028\\u0085';

it.each([
  ['line breaks, tabs and escape sequences', 'a\r\n\tb\u001b[1m', 'a\\u000d\\u000a\\u0009b\\u001b[1m'],
  ['turned directions', '\u202egnp.exe\u2066', '\\u202egnp.exe\\u2066'],
  ['characters of two units', 'a\u{e0041}', 'a\\udb40\\udc41'],
])('%s are shown as escapes', (_, text, seen) => {
  expect(shown(text)).toBe(seen);
});

it.each(['Zoë Ødegård', '王小明', 'می\u200cخواهم', 'क्\u200dष', '👩🏽', 'C:\\n'])('%s is shown as it is', (text) => {
  expect(shown(text)).toBe(text);
});

it('a name stays in its cell and on its line', () => {
  expect(formatTable([{ title: 'Name', cell: (name: string) => name }], [FORGED])).toBe(`Name\n${SEEN}`);
  expect(formatFields([['name', FORGED]])).toBe(`name  ${SEEN}`);
  expect(textAt({ name: FORGED }, 'name')).toBe(SEEN);
  expect(textAt({ names: [FORGED, 'x'] }, 'names')).toBe(`${SEEN}, x`);
  expect(textAt({ sender: { name: '\u202e' } }, 'sender')).toBe('{"name":"\\u202e"}');
});

it('JSON is the same to a program, and has no unseen character but its own line breaks', () => {
  const text = shownJson({ name: FORGED });
  expect(JSON.parse(text)).toEqual({ name: FORGED });
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
  expect(shownLines('a\nb\r')).toBe('a\nb\\u000d');
});
