/** The fields of a request in words, read from its schema: for docs/operator-api.md. */
import { wordsOf } from './forms.ts';

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
  const words = pattern === undefined ? undefined : wordsOf(pattern);
  if (words !== undefined) return words;
  return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
}

/** Schemas are plain JSON; what a field of them is not, nobody asks for. */
function read(schema: unknown): Schema {
  return Object(schema);
}
