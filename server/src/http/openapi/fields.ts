/** A schema as a table of its fields. Named schemas are links, so that each is written out once on the page. */
import { SCHEMA_PREFIX } from './components.ts';
import { type Html, html, raw } from './html.ts';
import type { Header, Parameter, Schema } from './types.ts';

interface FieldRow {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** Longer lists of values are folded away. */
const MAX_SHOWN_VALUES = 8;
/** Objects without a name are shown inside their owner's table, at most this deep. */
const MAX_DEPTH = 4;

export function parameterTable(parameters: readonly Parameter[]): Html {
  return table(
    parameters.map(({ name, required, description, schema }) => ({
      name,
      isRequired: required,
      schema: description === undefined ? schema : { ...schema, description },
    })),
  );
}

/** Their places on the page are in their rows, so that answers can refer to them. */
export function headerTable(headers: Readonly<Record<string, Header>>): Html {
  const rows = Object.entries(headers).map(
    ([name, { description, required, schema }]) =>
      html`<tr id="header-${name}"><td><code>${name}</code>${required ? html` <span class="optional">always</span>` : ''}</td><td class="type">${typeOf(schema)}</td><td>${description}</td></tr>`,
  );
  return html`<div class="scroll"><table><thead><tr><th>Header</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** The fields of an object; for everything else, and for a mere envelope, one line that says what it is. */
export function schemaTable(schema: Schema): Html {
  const rows = rowsOf(schema, '', 0);
  const [only] = rows;
  if (only && rows.length === 1 && only.schema.description === undefined) {
    return html`<p class="type"><code>${only.name}</code> ${typeOf(only.schema)}</p>`;
  }
  if (rows.length > 0) return table(rows);
  const more = limitsOf(schema);
  return html`<p class="type">${typeOf(schema)}${more}</p>${valuesOf(schema, Number.POSITIVE_INFINITY)}`;
}

function table(rows: readonly FieldRow[]): Html {
  return html`<div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.map(fieldRow)}</tbody></table></div>`;
}

/** In words that tell when a field is needed: it would be wrong to call it optional beside them. */
const NEED = /\bneeded\b/i;

function fieldRow({ name, isRequired, schema }: FieldRow): Html {
  const kind = NEED.test(schema.description ?? '') ? 'needed at times' : 'optional';
  const need = isRequired ? html`` : html` <span class="optional">${kind}</span>`;
  return html`<tr><td><code>${name}</code>${need}</td><td class="type">${typeOf(schema)}${limitsOf(schema)}</td><td>${schema.description}${valuesOf(schema)}</td></tr>`;
}

function rowsOf(schema: Schema, prefix: string, depth: number): FieldRow[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = `${prefix}${key}`;
    const row = { name, isRequired: required.has(key), schema: field };
    return depth < MAX_DEPTH ? [row, ...rowsOf(field, `${name}.`, depth + 1)] : [row];
  });
}

function typeOf(schema: Schema): Html {
  const { $ref, anyOf, items, type, format } = schema;
  if ($ref !== undefined) return link($ref.slice(SCHEMA_PREFIX.length));
  if (anyOf) return html`${anyOf.map((one, index) => html`${index === 0 ? '' : ' or '}${typeOf(one)}`)}`;
  if (items) return html`list of ${typeOf(items)}`;
  if (schema.enum) return raw('one of');
  if (typeof schema.additionalProperties === 'object') return html`map to ${typeOf(schema.additionalProperties)}`;
  return html`${type ?? 'anything'}${format === undefined ? '' : ` (${format})`}`;
}

export function link(name: string): Html {
  return html`<a href="#schema-${name}">${name}</a>`;
}

function limitsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): Html {
  const limits = [
    rangeOf(minimum, maximum, ''),
    rangeOf(minLength, maxLength, ' characters'),
    rangeOf(minItems, maxItems, ' elements'),
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? html`` : html`<br><small>${limits.join(', ')}</small>`;
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined) return most === undefined ? '' : `at most ${most}${unit}`;
  if (least === 1 && most === undefined && unit !== '') return 'not empty';
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
}

function valuesOf(schema: Schema, maxShown = MAX_SHOWN_VALUES): Html {
  const values = schema.enum?.map((value) => html`<code>${String(value)}</code> `) ?? [];
  if (values.length <= maxShown) return values.length === 0 ? html`` : html`<div class="values">${values}</div>`;
  return html`<details><summary>${values.length} values</summary><div class="values">${values}</div></details>`;
}
