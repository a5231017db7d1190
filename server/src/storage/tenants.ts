/**
 * How statements on tenant tables are written. Every one names its accounts (`account_id = any($1)`): on a distributed
 * PostgreSQL that is what picks the node. Rows are read by `id = any($2)` and not by a join with the list of keys:
 * before its statistics are right the planner would answer a join by reading all rows of the tenant. So a statement may
 * find a row of another account of the same batch, and the caller matches rows by account and id. Rows are added and
 * changed from a list that has account and id of each, and there the accounts are named by `onNodeOf`.
 */
export function accountIdsOf(rows: readonly { readonly accountId: string }[]): string[] {
  return [...new Set(rows.map((row) => row.accountId))];
}

/**
 * The accounts once more, for the sake of the node alone, in a statement that finds its rows by a list of keys which has
 * them already. One server is not asked: it would sort all accounts of the batch again for each row that it looks up.
 */
export function onNodeOf(alias: string): string {
  return `${NODE_MARK} ${alias}.account_id = any($1::uuid[])`;
}

const NODE_MARK = '/* node */';
const NODE_CONDITION = /\/\* node \*\/ \w+\.account_id = any\(\$1::uuid\[\]\)/g;

/** The statement for a PostgreSQL of one server: whatever `onNodeOf` put in holds for every row. */
export function forOneServer(statement: string): string {
  return statement.replace(NODE_CONDITION, '$1::uuid[] is not null');
}
