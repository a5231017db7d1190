/** Where the calls of an interface name objects: found in its own description, so that no route can be forgotten. */

interface Schema {
  readonly $ref?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const ID_NAME = /(^|_)id$/;
const MAX_DEPTH = 12;

/** By `METHOD /path`: `path id`, `query sender_id`, `body debit.to_id`. Calls that name nothing have an empty list. */
export function namedIds(document: Described): Record<string, string[]> {
  const rows = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const parameters = (operation.parameters ?? [])
        .filter((one) => one.in === 'path' || (one.in === 'query' && ID_NAME.test(one.name)))
        .map((one) => `${one.in} ${one.name}`);
      const schema = operation.requestBody?.content['application/json']?.schema;
      const inBody = schema === undefined ? [] : idsIn(document, schema, '', 0).map((place) => `body ${place}`);
      return [`${method.toUpperCase()} ${path}`, [...new Set([...parameters, ...inBody])].toSorted()] as const;
    }),
  );
  return Object.fromEntries(rows);
}

/** An id is what the description says is a UUID; an external_id names an object as well. */
function idsIn(document: Described, schema: Schema, at: string, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  const name = schema.$ref?.split('/').at(-1);
  const known = name === undefined ? schema : (document.components.schemas?.[name] ?? {});
  const inside = (one: Schema, place: string) => idsIn(document, one, place, depth + 1);
  const isId = known.format === 'uuid' || at.split('.').at(-1) === 'external_id';
  return [
    ...(isId ? [at] : []),
    ...(known.anyOf ?? []).flatMap((one) => inside(one, at)),
    ...(known.items ? inside(known.items, `${at}[]`) : []),
    ...Object.entries(known.properties ?? {}).flatMap(([field, one]) =>
      inside(one, at === '' ? field : `${at}.${field}`),
    ),
  ];
}
