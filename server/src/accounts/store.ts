/** The SQL of accounts. The rows of keys, operators and the audit log have files of their own. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { Account, KycKind } from './account.ts';

interface StoredAccount {
  account_id: string;
  name: string;
  full_kyc: boolean;
  kyc: string;
  wtr2: boolean;
  negative_balance: boolean;
  account_validation: boolean;
  same_currency: string[];
  corridors: string[] | null;
  created_at: Date;
  updated_at: Date;
}

export async function insertAccount(tx: Tx, account: Account): Promise<void> {
  const inserted = await tx.execute(
    `insert into accounts (account_id, name, full_kyc, kyc, wtr2, negative_balance, account_validation, same_currency,
       corridors, created_at, updated_at)
     values ($1::uuid, $2::text, $3::boolean, $4::text, $5::boolean, $6::boolean, $7::boolean, $8::text[],
       $9::text[], $10::timestamptz, $11::timestamptz)`,
    [...termColumns(account), account.createdAt, account.updatedAt],
  );
  assert(inserted === 1, 'the account was stored');
}

export async function updateAccount(tx: Tx, account: Account): Promise<void> {
  const updated = await tx.execute(
    `update accounts
     set name = $2::text, full_kyc = $3::boolean, kyc = $4::text, wtr2 = $5::boolean, negative_balance = $6::boolean,
       account_validation = $7::boolean, same_currency = $8::text[], corridors = $9::text[], updated_at = $10::timestamptz
     where account_id = $1::uuid`,
    [...termColumns(account), account.updatedAt],
  );
  assert(updated === 1, 'the account that was locked is still there');
}

export async function findAccount(tx: Tx, accountId: string): Promise<Account | undefined> {
  const rows = await tx.query<StoredAccount>(
    `select account_id, name, full_kyc, kyc, wtr2, negative_balance, account_validation, same_currency, corridors,
       created_at, updated_at
     from accounts
     where account_id = $1::uuid`,
    [accountId],
  );
  return rows[0] && accountOf(rows[0]);
}

export async function lockAccount(tx: Tx, accountId: string): Promise<Account | undefined> {
  const rows = await tx.query<StoredAccount>(
    `select account_id, name, full_kyc, kyc, wtr2, negative_balance, account_validation, same_currency, corridors,
       created_at, updated_at
     from accounts
     where account_id = $1::uuid
     for update`,
    [accountId],
  );
  return rows[0] && accountOf(rows[0]);
}

export async function readAccounts(tx: Tx, accountIds: readonly string[]): Promise<Account[]> {
  const rows = await tx.query<StoredAccount>(
    `select account_id, name, full_kyc, kyc, wtr2, negative_balance, account_validation, same_currency, corridors,
       created_at, updated_at
     from accounts
     where account_id = any($1::uuid[])`,
    [accountIds],
  );
  return rows.map(accountOf);
}

/** In the order of their ids, which is that of their creation. */
export async function listAccounts(
  tx: Tx,
  page: { readonly after: string | null; readonly limit: number },
): Promise<Account[]> {
  const rows = await tx.query<StoredAccount>(
    `select account_id, name, full_kyc, kyc, wtr2, negative_balance, account_validation, same_currency, corridors,
       created_at, updated_at
     from accounts
     where $1::uuid is null or account_id > $1::uuid
     order by account_id
     limit $2::integer`,
    [page.after, page.limit],
  );
  return rows.map(accountOf);
}

function termColumns(account: Account) {
  return [
    account.accountId,
    account.name,
    account.fullKyc,
    account.kyc,
    account.wtr2,
    account.negativeBalance,
    account.accountValidation,
    account.sameCurrency,
    account.corridors,
  ];
}

function accountOf(row: StoredAccount): Account {
  return {
    accountId: row.account_id,
    name: row.name,
    fullKyc: row.full_kyc,
    // The check constraint of the table holds the same words as KYC_KINDS.
    kyc: row.kyc as KycKind,
    wtr2: row.wtr2,
    negativeBalance: row.negative_balance,
    accountValidation: row.account_validation,
    sameCurrency: row.same_currency as CurrencyCode[],
    corridors: row.corridors,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
