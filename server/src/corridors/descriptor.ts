/**
 * The `fields` descriptor of the API, made from the rules that validate. Conditions cannot be told in it: what some
 * details need and others do not is shown without presence, and with every value that any details could have.
 * Spec: Payout method (fields descriptor). Open point OP-17.
 */
import { groupBy } from '../kernel/group-by.ts';

/** One detail as the API describes it. */
export interface FieldDescriptor {
  readonly type: 'input' | 'select';
  readonly options?: Readonly<Record<string, string>>;
  readonly validations: {
    readonly presence?: true;
    readonly format?: string;
    readonly inclusion?: { readonly in: Readonly<Record<string, string>> };
  };
}

export type FieldDescriptors = Readonly<Record<string, FieldDescriptor>>;

/** Of a type that the catalogue does not have any more: what was accepted before is shown all the same. */
export const NO_FIELDS: FieldDescriptors = Object.freeze({});

/** What the descriptor tells of a rule. */
interface Described {
  readonly name: string;
  readonly required: boolean;
  readonly when: unknown;
  readonly options: ReadonlyMap<string, string> | undefined;
  readonly pattern: string | undefined;
}

/** Frozen throughout: it is built once, shared by all answers and never copied. */
export function describeFields(rules: readonly Described[]): FieldDescriptors {
  const byName = groupBy(rules, (rule) => rule.name);
  return Object.freeze(Object.fromEntries([...byName].map(([name, same]) => [name, describe(same)])));
}

function describe(rules: readonly Described[]): FieldDescriptor {
  const presence = rules.every((rule) => rule.required && rule.when === undefined);
  const [pattern, ...otherPatterns] = new Set(rules.map((rule) => rule.pattern));
  const format = otherPatterns.length === 0 ? pattern : undefined;
  const options = optionsOf(rules);
  const validations = Object.freeze({
    ...(presence && { presence }),
    ...(format !== undefined && { format }),
    ...(options !== undefined && { inclusion: Object.freeze({ in: options }) }),
  });
  if (options === undefined) return Object.freeze({ type: 'input', validations });
  return Object.freeze({ type: 'select', options, validations });
}

function optionsOf(rules: readonly Described[]): Readonly<Record<string, string>> | undefined {
  if (rules.some(({ options }) => options === undefined)) return undefined;
  return Object.freeze(Object.fromEntries(rules.flatMap(({ options }) => [...(options ?? [])])));
}
