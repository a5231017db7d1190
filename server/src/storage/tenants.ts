/**
 * How statements on tenant tables are written. Every one names its accounts (`account_id = any($1)`): on a distributed
 * PostgreSQL that is what picks the node. Rows are looked up by `id = any($2)` and not by a join with the list of keys:
 * before its statistics are right the planner would answer a join by reading all rows of the tenant. So a statement may
 * find a row of another account of the same batch, and the caller matches rows by account and id.
 */
export function accountIdsOf(rows: readonly { readonly accountId: string }[]): string[] {
  return [...new Set(rows.map((row) => row.accountId))];
}
