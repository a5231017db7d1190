/** The fields of a request in words, read from its schema: for docs/operator-api.md. */
import { UUID } from './schemas.ts';

interface Schema {
  readonly type?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly items?: unknown;
  readonly maxItems?: number;
  readonly anyOf?: readonly unknown[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** Patterns that say less than a few words do. What people write has no pattern that they would need to know. */
const PATTERN_WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^\^\[0-9\]\{1,15\}_/, 'the `next` of the page before'],
  [/\\p\{Cc\}/, 'text of at most 200 characters'],
  [/\|500\)\$$/, 'a whole number from 1 to 500, as text'],
];

/** One line for each field; of a body that has several forms, the forms one after the other. */
export function fieldLines(schema: unknown): string[] {
  const { properties, anyOf, required = [] } = read(schema);
  if (anyOf) return anyOf.flatMap((form, place) => [place === 0 ? 'Either' : 'Or', '', ...fieldLines(form), '']);
  return Object.entries(properties ?? {}).map(([name, field]) => {
    const { description } = read(field);
    const need = required.includes(name) ? '' : ' (optional)';
    return `- \`${name}\`${need}: ${formOf(field)}${description === undefined ? '' : `. ${description}`}`;
  });
}

function formOf(schema: unknown): string {
  const { type, anyOf, items, maxItems, minimum, maximum, enum: values } = read(schema);
  if (anyOf) return anyOf.map(formOf).join(' or ');
  if (values) return `one of ${values.map((value) => `\`${value}\``).join(', ')}`;
  switch (type) {
    case 'boolean':
      return '`true` or `false`';
    case 'null':
      return '`null`';
    case 'number':
      return 'a number';
    case 'integer':
      return `a whole number from ${minimum} to ${maximum}`;
    case 'array':
      return `a list of at most ${maxItems}: ${formOf(items)}`;
    case 'string':
      return textForm(read(schema));
    default:
      return 'an object';
  }
}

function textForm({ pattern, maxLength }: Schema): string {
  if (pattern === UUID) return 'a UUID';
  const words = PATTERN_WORDS.find(([known]) => pattern !== undefined && known.test(pattern))?.[1];
  if (words !== undefined) return words;
  if (maxLength !== undefined) return `text of at most ${maxLength} characters`;
  return pattern === undefined ? 'text' : `text of the form \`${pattern}\``;
}

/** Schemas are plain JSON; what a field of them is not, nobody asks for. */
function read(schema: unknown): Schema {
  return Object(schema);
}
