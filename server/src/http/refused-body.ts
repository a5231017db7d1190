/**
 * The body of a 422. The refused object comes back with its input, the files in it left out; each object in it carries
 * the errors about itself, and all of them stand once more, by path, at the top. Spec: Errors. Open points OP-74,
 * OP-75.
 */
import { withoutUploads } from '../documents/view.ts';
import { REFUSALS, type Refusal, type RefusalCode } from '../kernel/refusal.ts';

export interface RefusedCall {
  /** The object as it came in. An array for an endpoint that answers with a list. */
  readonly object: unknown;
  /** In field order. Their paths lead into the object. */
  readonly refusals: readonly Refusal[];
  /** What already has the external_id: by kind of object. */
  readonly existing?: Readonly<Record<string, unknown>>;
  /** `meta.error` also tells of a field: for callers to whom it is published as the only reason. */
  readonly tellsFields?: boolean;
}

type ErrorList = { readonly error: RefusalCode }[];

export interface RefusedBody {
  readonly object: unknown;
  readonly errors: Readonly<Record<string, ErrorList>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Objects that carry errors of their own, as the published models have them. Others leave theirs to their owner. */
const CARRIERS = new Set(['sender', 'payout_method']);
const CARRIER_LISTS = new Set(['recipients', 'payin_methods', 'documents']);
/** Fields in these are known by their own name alone: `otp`, not `in_details.otp` (published). */
const DETAIL_BAGS = new Set<string | number>(['details', 'in_details']);

const MAX_REFUSALS = 500;

export function refusedBody(refused: RefusedCall): RefusedBody {
  const object = withoutUploads(refused.object);
  const top = new Map<string, ErrorList>();
  const root = newPlace();
  for (const refusal of refused.refusals.slice(0, MAX_REFUSALS)) {
    add(top, pathName(refusal.path), refusal.code);
    for (const path of pathsInto(object, refusal.path)) addAt(root, object, path, refusal.code);
  }
  const meta = metaOf(refused);
  return { object: echo(object, root), errors: Object.fromEntries(top), ...(meta && { meta }) };
}

function metaOf({ object, refusals, existing, tellsFields = false }: RefusedCall) {
  const wide = refusals.find(({ path }) => isWide(object, path));
  const told = wide ?? refusals.find(({ says }) => says !== undefined) ?? (tellsFields ? refusals[0] : undefined);
  if (told === undefined && existing === undefined) return undefined;
  return { ...(told && { error: wordsOf(told, told !== wide) }), ...(existing && { existing }) };
}

/** About the object as a whole; where it is a list, about one of its elements as a whole. */
function isWide(object: unknown, path: Path): boolean {
  return path.length === 0 || (Array.isArray(object) && path.length === 1 && typeof path[0] === 'number');
}

function wordsOf({ code, path, says }: Refusal, namesField: boolean): string {
  const words = says === undefined ? REFUSALS[code] : `${REFUSALS[code]}, ${says}`;
  return namesField ? `${pathName(path)}: ${words}` : words;
}

/** The errors of one object, and of the objects inside it. */
interface Place {
  readonly errors: Map<string, ErrorList>;
  readonly inside: Map<string | number, Place>;
}

function newPlace(): Place {
  return { errors: new Map(), inside: new Map() };
}

type Path = Refusal['path'];

/** A list has no errors of its own: what is wrong with all of it is said at each element. */
function pathsInto(object: unknown, path: Path): Path[] {
  return Array.isArray(object) && path.length === 0 ? object.map((_, index) => [index]) : [path];
}

/** Goes as deep as there are objects that carry errors; what is left of the path is the name of the field. */
function addAt(root: Place, object: unknown, path: Path, code: RefusalCode): void {
  let place = root;
  let value = object;
  let depth = 0;
  for (const [index, step] of path.entries()) {
    if (!isCarrier(value, path, index)) break;
    value = child(value, step);
    const inside = place.inside.get(step) ?? newPlace();
    place.inside.set(step, inside);
    place = inside;
    depth = index + 1;
  }
  add(place.errors, fieldName(path.slice(depth)), code);
}

/** Whether the step leads to an object that carries errors, or to the list of such an element. */
function isCarrier(value: unknown, path: Path, index: number): boolean {
  const step = path[index];
  const next = child(value, step);
  if (typeof step === 'number') return Array.isArray(value) && isRecord(next);
  if (step === undefined || index === path.length - 1) return false;
  if (CARRIERS.has(step)) return isRecord(next);
  const after = path[index + 1];
  return CARRIER_LISTS.has(step) && typeof after === 'number' && Array.isArray(next) && isRecord(next[after]);
}

function fieldName(rest: Path): string {
  if (rest.length === 0) return 'base';
  const [first, ...others] = rest;
  return others.length > 0 && first !== undefined && DETAIL_BAGS.has(first) ? others.join('.') : rest.join('.');
}

function pathName(path: Path): string {
  return path.length === 0 || typeof path.at(-1) === 'number' ? [...path, 'base'].join('.') : path.join('.');
}

function add(errors: Map<string, ErrorList>, field: string, error: RefusalCode): void {
  const list = errors.get(field) ?? [];
  if (!list.some((one) => one.error === error)) list.push({ error });
  errors.set(field, list);
}

/** The input again, with the errors in their places. What a caller itself sent as `errors` does not come back. */
function echo(value: unknown, place: Place | undefined): unknown {
  if (Array.isArray(value)) return value.map((element, index) => echo(element, place?.inside.get(index)));
  const { errors: _, ...fields } = isRecord(value) ? value : {};
  if (!isRecord(value) && place === undefined) return value;
  for (const name of Object.keys(fields)) {
    if (CARRIERS.has(name) || CARRIER_LISTS.has(name)) fields[name] = echo(fields[name], place?.inside.get(name));
  }
  return place && place.errors.size > 0 ? { ...fields, errors: Object.fromEntries(place.errors) } : fields;
}

function child(value: unknown, step: string | number | undefined): unknown {
  if (typeof value !== 'object' || value === null || step === undefined || !Object.hasOwn(value, step))
    return undefined;
  return Reflect.get(value, step);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
