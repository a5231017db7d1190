/** What `payferry serve` prints when it is ready: addresses, credentials, and a first request to paste. */
import type { Service } from '../compose/start-service.ts';
import type { Settings } from '../settings/shape.ts';
import { programName } from './program-name.ts';
import { curlCommand, quote, signCall } from './signed-call.ts';

export function welcome(service: Service, settings: Settings): string {
  return [
    '',
    `Payferry is ready (${settings.mode} mode).`,
    '',
    ...(service.apiUrl === undefined
      ? []
      : [`  API        ${service.apiUrl}/v1`, `  Reference  ${service.apiUrl}/reference`]),
    `  Operators  ${service.operatorUrl}/operator (${tokenOf(service, settings)}; /metrics too)`,
    ...(service.apiUrl === undefined ? [] : [`  Health     ${service.apiUrl}/health/ready`]),
    ...sandboxLines(service, settings),
    '',
  ].join('\n');
}

function tokenOf({ hasToken }: Service, { data }: Settings): string {
  return hasToken ? `token in ${data}/operator.json` : 'with the token of an operator';
}

function sandboxLines({ apiUrl, sandbox }: Service, settings: Settings): string[] {
  if (!sandbox || apiUrl === undefined) return [];
  const data = settings.data === './data' ? '' : ` --data ${quote(settings.data)}`;
  return [
    '',
    `  API key    ${sandbox.key}`,
    `  API secret ${sandbox.secret}`,
    '',
    'Your first request, ready to paste (its signature works once):',
    '',
    curlCommand(signCall({ url: apiUrl, ...sandbox }, 'GET', '/v1/accounts', '')),
    '',
    'Or let the command line sign, as often as you like:',
    '',
    `  ${programName()} request GET /v1/accounts${data}`,
  ];
}
