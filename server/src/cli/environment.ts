/**
 * The environment of the program without the variables that are no settings (settings/other-variables.ts): the service
 * refuses names that it does not know.
 */
import { OTHER_VARIABLES } from '../settings/other-variables.ts';

type OtherVariable = keyof typeof OTHER_VARIABLES;

export const OPERATOR_URL_ENV: OtherVariable = 'PAYFERRY_OPERATOR_URL';
export const OPERATOR_TOKEN_ENV: OtherVariable = 'PAYFERRY_OPERATOR_TOKEN';

export type Environment = Readonly<Record<string, string | undefined>>;

export function settingsEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !Object.hasOwn(OTHER_VARIABLES, name)));
}
