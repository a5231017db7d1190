/** Every statement on tenant tables names its accounts: on a distributed PostgreSQL that is what picks the node. */
export function accountIdsOf(rows: readonly { readonly accountId: string }[]): string[] {
  return [...new Set(rows.map((row) => row.accountId))];
}
