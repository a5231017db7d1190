/**
 * What is said to a payin provider for one claimed prompt, and what that comes to. A prompt that the provider does not
 * know is sent again under its own reference, where that is allowed; otherwise not knowing it proves that nobody paid.
 */
import type { Clock } from '../kernel/clock.ts';
import type { PayinCaller } from '../providers/payin-caller.ts';
import type { PayinAnswer, PayinProvider } from '../providers/payin-provider.ts';
import type { NotFound } from '../providers/payout-provider.ts';
import type { PayinCall } from '../transactions/decide-collection.ts';
import type { PayinSaid } from '../transactions/hear-payin.ts';

/** The general temporary error: prompted again later. */
const NOT_KNOWN_THERE = '3';

const OVER = { kind: 'unknown', why: 'the lease is over' } as const;

export async function performPayinCall(
  caller: PayinCaller,
  provider: PayinProvider | undefined,
  call: PayinCall,
  clock: Clock,
  takesPrompts: () => boolean = () => true,
): Promise<PayinSaid> {
  // Its settings were taken away while it had prompts. Nobody can be asked, and nothing is concluded from that.
  if (provider === undefined) return { kind: 'unknown', why: 'the provider is not set up' };
  // Who slept over its lease does nothing more: another one may be working on it.
  const isOver = () => clock.now() >= call.leaseEnd;
  if (isOver()) return OVER;
  // It may have waited for a free place.
  const mayBegin = () => !isOver();
  const prompt = () => caller.prompt(provider, call.order, mayBegin);
  if (call.do === 'prompt') return prompt();
  if (call.do === 'cancel') {
    const { kind } = await caller.cancel(provider, call.order, mayBegin);
    if (kind === 'canceled') return afterCancel(await caller.status(provider, call.order));
  }
  const give = call.do === 'give_otp';
  const answer = await (give ? caller.giveOtp(provider, call.order, mayBegin) : caller.status(provider, call.order));
  if (answer.kind !== 'not_found') return answer;
  // Slept while it waited for this: what was not there then may have been prompted for, or canceled, since.
  if (isOver()) return OVER;
  if (call.do === 'cancel') return { kind: 'canceled', failure: NOT_KNOWN_THERE };
  // To the provider it is a new prompt, and operators may have decided that it gets none.
  return call.mayResend && takesPrompts() ? prompt() : { kind: 'failed', code: NOT_KNOWN_THERE };
}

/** Taken back; but a payer who was quicker has paid, and that is the truth. */
function afterCancel(answer: PayinAnswer | NotFound): PayinSaid {
  switch (answer.kind) {
    case 'paid':
    case 'processing':
      return answer;
    case 'failed':
      return { kind: 'canceled', failure: answer.code };
    case 'not_found':
      return { kind: 'canceled', failure: NOT_KNOWN_THERE };
    default:
      return { kind: 'canceled' };
  }
}
