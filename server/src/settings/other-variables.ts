/**
 * Environment variables that begin like those of settings and are none: the command line reads them, or the part that
 * starts the embedded PostgreSQL. Whoever loads settings takes them out first (cli/environment.ts), since names that
 * are not known are refused.
 */
export const OTHER_VARIABLES = {
  PAYFERRY_OPERATOR_URL:
    'The operator listener that the commands speak to, in place of the one of the data directory; `--operator-url` comes before it.',
  PAYFERRY_OPERATOR_TOKEN: 'The token for it; `--operator-token` comes before it, but other users can see flags.',
  PAYFERRY_POSTGRES_BIN:
    'A directory with `initdb`, `pg_ctl` and `postgres` for the embedded server, in place of ours.',
} as const;
