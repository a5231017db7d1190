/**
 * Account checks through the bridge: a service of the operator's own, with the signed JSON of docs/bridge.md.
 * Everything that is no clear answer is `unavailable`.
 */
import type { BridgeClient } from '../../providers/bridge/client.ts';
import type { AccountCheck, CheckAnswer, CheckQuestion } from '../account-check.ts';

const CANNOT_READ: CheckAnswer = { kind: 'unavailable', why: 'an answer that cannot be read' };

export class BridgeAccountCheck implements AccountCheck {
  readonly name: string;
  readonly #client: Pick<BridgeClient, 'send' | 'close'>;

  constructor(name: string, client: Pick<BridgeClient, 'send' | 'close'>) {
    this.name = name;
    this.#client = client;
  }

  async check(question: CheckQuestion, signal: AbortSignal): Promise<CheckAnswer> {
    const { kind, payoutType, country, account, expectedName } = question;
    const asked = { kind, payout_type: payoutType, country, ...account, expected_name: expectedName };
    const call = { method: 'POST', path: '/account_checks', body: JSON.stringify(asked) } as const;
    const reply = await this.#client.send(call, signal);
    if (reply.kind !== 'text') return { kind: 'unavailable', why: reply.why };
    return parseCheckAnswer(kind, reply.text);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

export function parseCheckAnswer(kind: CheckQuestion['kind'], text: string): CheckAnswer {
  const said = readJson(text);
  if (said['status'] === 'not_found') return { kind: 'not_found' };
  if (said['status'] !== 'found') return CANNOT_READ;
  const { account_name: accountName, mobile_provider: mobileProvider, account_status: status } = said;
  if (kind === 'name' && typeof accountName === 'string') return { kind, accountName };
  if (kind === 'telco' && typeof mobileProvider === 'string') return { kind, mobileProvider };
  if (kind === 'status' && (status === 'active' || status === 'inactive')) return { kind, status };
  return CANNOT_READ;
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
