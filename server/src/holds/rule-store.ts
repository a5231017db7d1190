/** The SQL of the rules. They are few and on every node; those of no account hold for all. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import type { CountrySide, Criterion, HoldRule, RuleKind } from './rule.ts';

const COLUMNS = `r.rule_id, r.account_id, r.payout_type, r.kind, r.amount, r.currency, r.transactions, r.side, r.countries,
  r.created_at, r.created_by`;

interface StoredRule {
  rule_id: string;
  account_id: string | null;
  payout_type: string | null;
  kind: string;
  amount: bigint | null;
  currency: string | null;
  transactions: number | null;
  side: string | null;
  countries: string[] | null;
  created_at: Date;
  created_by: string;
}

/** Those that can hold a transaction of these accounts. */
export async function readRulesOf(tx: Tx, accountIds: readonly string[]): Promise<HoldRule[]> {
  const rows = await tx.query<StoredRule>(
    `select ${COLUMNS}
     from hold_rules r
     where r.account_id is null or r.account_id = any($1::uuid[])
     order by r.created_at, r.rule_id`,
    [accountIds],
  );
  return rows.map(ruleOf);
}

/** All of them, or those that hold for one account. */
export async function listStoredRules(tx: Tx, accountId: string | null): Promise<HoldRule[]> {
  const rows = await tx.query<StoredRule>(
    `select ${COLUMNS}
     from hold_rules r
     where $1::uuid is null or r.account_id is null or r.account_id = $1::uuid
     order by r.created_at, r.rule_id`,
    [accountId],
  );
  return rows.map(ruleOf);
}

/** Whoever else adds one waits until the commit, and counts then. Reading them waits for nobody. */
export async function lockRules(tx: Tx): Promise<void> {
  await tx.execute('lock table hold_rules in share row exclusive mode');
}

export async function countRules(tx: Tx): Promise<number> {
  const rows = await tx.query<{ count: bigint }>('select count(*) as count from hold_rules');
  return Number(rows[0]?.count ?? 0n);
}

export async function insertRule(tx: Tx, rule: HoldRule): Promise<void> {
  const { criterion } = rule;
  const inserted = await tx.execute(
    `insert into hold_rules (rule_id, account_id, payout_type, kind, amount, currency, transactions, side, countries,
       created_at, created_by)
     values ($1::uuid, $2::uuid, $3::text, $4::text, $5::bigint, $6::text, $7::integer, $8::text, $9::text[],
       $10::timestamptz, $11::text)`,
    [
      rule.ruleId,
      rule.accountId,
      rule.payoutType,
      criterion.kind,
      criterion.kind === 'amount' ? criterion.over : null,
      criterion.kind === 'amount' ? criterion.currency : null,
      criterion.kind === 'count' ? criterion.over : null,
      criterion.kind === 'country' ? criterion.side : null,
      criterion.kind === 'country' ? criterion.countries : null,
      rule.createdAt,
      rule.createdBy,
    ],
  );
  assert(inserted === 1, 'the rule was stored');
}

/** What it was; undefined: there is no such rule. */
export async function deleteRule(tx: Tx, ruleId: string): Promise<HoldRule | undefined> {
  const rows = await tx.query<StoredRule>(
    `delete from hold_rules r where r.rule_id = $1::uuid
     returning ${COLUMNS}`,
    [ruleId],
  );
  return rows[0] && ruleOf(rows[0]);
}

function ruleOf(row: StoredRule): HoldRule {
  return {
    ruleId: row.rule_id,
    accountId: row.account_id,
    payoutType: row.payout_type,
    criterion: criterionOf(row),
    createdAt: row.created_at,
    createdBy: row.created_by,
  };
}

/** The check constraints of the table hold the same words, and say which columns belong to which kind. */
function criterionOf(row: StoredRule): Criterion {
  const kind = row.kind as RuleKind;
  switch (kind) {
    case 'amount':
      assert(isCurrency(row.currency), `stored currency ${row.currency} is known`);
      return { kind, over: row.amount ?? 0n, currency: row.currency as CurrencyCode };
    case 'count':
      return { kind, over: row.transactions ?? 0 };
    case 'first':
      return { kind };
    case 'country':
      return { kind, side: row.side as CountrySide, countries: row.countries ?? [] };
  }
}
