/**
 * One attempt: the envelope is signed with a new nonce and sent. Whatever comes of it is an outcome, never an
 * exception. Spec: Events (1), Authentication (4). Open points OP-66 and OP-72.
 */
import type { KeyAndSecret } from '../accounts/keys.ts';
import type { Context } from '../context.ts';
import { programVersion } from '../kernel/program-files.ts';
import { sign } from '../kernel/signature.ts';
import type { Attempt, AttemptOutcome, Chain, ClaimedDelivery } from './delivery.ts';
import type { HttpSender } from './http-sender.ts';
import { decideNext, type Schedule } from './schedule.ts';

export interface SendParts {
  readonly httpClient: Pick<HttpSender, 'send'>;
  readonly schedule: Schedule;
  /** At least 0 and below 1. */
  readonly chance: () => number;
}

type SendContext = Pick<Context, 'ids' | 'clock' | 'settings'>;

/** Why a delivery was not sent at all. */
const NO_KEY = 'the account has no key by which it could be signed';

const USER_AGENT = `Payferry/${programVersion()}`;

interface ToSign {
  readonly url: string;
  readonly body: string;
  readonly signer: KeyAndSecret;
  readonly nonce: string;
}

/** The headers of a webhook, the same three as those of a call. */
export function signedHeaders({ url, body, signer, nonce }: ToSign): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    Accept: '*/*',
    'User-Agent': USER_AGENT,
    'Authorization-Key': signer.key,
    'Authorization-Nonce': nonce,
    'Authorization-Signature': sign({ method: 'POST', url, body, secret: signer.secret, nonce }),
  };
}

/** Sends the first of the chain. */
export async function sendFirst(ctx: SendContext, parts: SendParts, chain: Chain): Promise<Attempt> {
  const [delivery, ...behind] = chain;
  const attemptId = ctx.ids.next();
  const sentAt = ctx.clock.now();
  const { headers, outcome } = await attempt(ctx, parts, delivery);
  const endedAt = ctx.clock.now();
  const facts = { attempts: delivery.attempts + 1, at: endedAt, chance: parts.chance() };
  const next = decideNext(outcome, facts, parts.schedule);
  return { attemptId, delivery, requestHeaders: headers, outcome, next, sentAt, endedAt, behind };
}

async function attempt(
  ctx: SendContext,
  { httpClient }: SendParts,
  { url, body, signer }: ClaimedDelivery,
): Promise<{ headers: Readonly<Record<string, string>>; outcome: AttemptOutcome }> {
  if (signer === undefined) return { headers: {}, outcome: { kind: 'not_signed', why: NO_KEY, tookMs: 0 } };
  const headers = signedHeaders({ url, body, signer, nonce: ctx.ids.next() });
  return {
    headers,
    outcome: await httpClient.send({ url, headers, body, timeoutMs: ctx.settings.webhooks.timeoutMs }),
  };
}
