/** Rows as operators see them: in the answers of the operator API and, the same, in the audit log. Never a secret. */
import type { Account, AccountTerms } from '../accounts/account.ts';
import type { AuditObject, AuditRow } from '../accounts/audit.ts';
import type { ApiKey } from '../accounts/keys.ts';
import type { Operator } from '../accounts/operators.ts';
import type { BalanceLine } from '../ledger/balance-lines.ts';
import type { LedgerAccount } from '../ledger/chart.ts';
import { formatLedgerAmount } from './ledger-currency.ts';
import { timeView } from './time-view.ts';

/** Terms by their names outside of the program; of a change only those that it names. */
export function termsView(terms: Partial<AccountTerms>): AuditObject {
  return Object.fromEntries(
    TERM_NAMES.flatMap(([property, name]) => {
      const value = terms[property];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const TERM_NAMES = [
  ['name', 'name'],
  ['fullKyc', 'full_kyc'],
  ['kyc', 'kyc'],
  ['wtr2', 'wtr2'],
  ['negativeBalance', 'negative_balance'],
  ['accountValidation', 'account_validation'],
  ['sameCurrency', 'same_currency'],
  ['corridors', 'corridors'],
] as const satisfies readonly (readonly [keyof AccountTerms, string])[];

export function accountView(account: Account) {
  return {
    id: account.accountId,
    name: account.name,
    full_kyc: account.fullKyc,
    kyc: account.kyc,
    wtr2: account.wtr2,
    negative_balance: account.negativeBalance,
    account_validation: account.accountValidation,
    same_currency: account.sameCurrency,
    corridors: account.corridors,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

export function keyView(key: ApiKey) {
  return {
    key: key.key,
    account_id: key.accountId,
    label: key.label,
    created_at: key.createdAt.toISOString(),
    revoked_at: timeView(key.revokedAt),
    valid_until: timeView(key.validUntil),
    successor: key.successor,
  };
}

export function operatorView(operator: Operator) {
  return {
    name: operator.name,
    created_at: operator.createdAt.toISOString(),
    revoked_at: timeView(operator.revokedAt),
  };
}

export function auditView(row: AuditRow) {
  return {
    id: row.auditId,
    at: row.at.toISOString(),
    operator: row.operator,
    action: row.action,
    subject: row.subject,
    before: row.before,
    after: row.after,
  };
}

/** One line per currency name, with all seven ledger accounts as exact decimals. */
export function balancesView(lines: readonly BalanceLine[]) {
  return lines.map(({ currency, minor }) => {
    const shown = (ledgerAccount: LedgerAccount) => formatLedgerAmount(currency, minor[ledgerAccount]);
    return {
      currency,
      balance: shown('balance'),
      held: shown('held'),
      exchange: shown('exchange'),
      payout_settlement: shown('payout_settlement'),
      payin_settlement: shown('payin_settlement'),
      treasury: shown('treasury'),
      suspense: shown('suspense'),
    };
  });
}
