/**
 * The conditions of a list that may be narrowed, of which a statement has only those that are asked for. One text for
 * all of them, `$2 is null or t.sender_id = $2`, is planned anew for its values at first only: after a few uses the
 * server keeps a plan that has to be right for every value, uses no index for a condition that may be none, and reads
 * all rows of the account. The texts are still constants, one for each choice of conditions.
 */
import type { SqlValue } from '../kernel/database.ts';

export interface Wish {
  /** A condition, with a question mark in the place of each value. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

interface Narrowed {
  /** To stand behind a condition that is always there. */
  readonly and: string;
  readonly values: readonly SqlValue[];
}

/** With the values of the statement that come before; a wish that is null was not made. */
export function narrow(before: readonly SqlValue[], wishes: readonly (Wish | null)[]): Narrowed {
  const made = wishes.filter((each) => each !== null);
  const values = [...before, ...made.flatMap((each) => each.values)];
  const [start = '', ...rest] = made
    .map(({ sql }) => `and ${sql}`)
    .join(' ')
    .split('?');
  const and = rest.reduce((text, part, place) => `${text}$${before.length + place + 1}${part}`, start);
  return { and, values };
}

/** One that has one value; null: not made. */
export function wish(sql: string, value: SqlValue): Wish | null {
  return value === null ? null : { sql, values: [value] };
}
