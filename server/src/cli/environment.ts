/**
 * The environment variables of the command line itself, and the one that is about the machine (storage/embedded). They
 * are no settings of the service, which refuses names that it does not know; so whoever loads settings takes them out
 * first.
 */
export const OPERATOR_URL_ENV = 'PAYFERRY_OPERATOR_URL';
export const OPERATOR_TOKEN_ENV = 'PAYFERRY_OPERATOR_TOKEN';

const POSTGRES_BIN_ENV = 'PAYFERRY_POSTGRES_BIN';

export type Environment = Readonly<Record<string, string | undefined>>;

export function settingsEnvironment(env: Environment): Environment {
  const { [OPERATOR_URL_ENV]: _url, [OPERATOR_TOKEN_ENV]: _token, [POSTGRES_BIN_ENV]: _bin, ...others } = env;
  return others;
}
