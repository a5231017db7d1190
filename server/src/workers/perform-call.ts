/**
 * What is said to a provider for one claimed payout, and what that comes to. An order that the provider does not know
 * is sent again under its own reference, where that is allowed. Otherwise not knowing it proves that it was not paid,
 * but only once nothing of it can still be on its way: until then it might be taken after its refund, or beside another
 * one.
 */
import type { Context } from '../context.ts';
import type { ProviderCaller } from '../providers/caller.ts';
import { HAS_NO_ORDER } from '../providers/order-codes.ts';
import type { NotFound, PayoutAnswer, PayoutProvider } from '../providers/payout-provider.ts';
import { isNotFound, turnsDown } from '../recipients/doubt.ts';
import type { PayoutCall } from '../transactions/decide-due.ts';

interface Performed {
  readonly answer: PayoutAnswer;
  /**
   * Cash: what became of the order to change the details; undefined when that is not known, so that it is tried again.
   */
  readonly update?: 'updated' | 'refused';
  /** It was only asked, or turned the order down: nothing is on its way from this call. */
  readonly sentNothing?: true;
}

/** Published codes: canceled at our wish, and not known to the provider. */
const CANCELED = { kind: 'failed', code: '54' } as const;
const NOT_TAKEN = { kind: 'failed', code: HAS_NO_ORDER } as const;

const NOT_FOUND = { kind: 'not_found' } as const;
const HAS_ORDER: readonly (PayoutAnswer | NotFound)['kind'][] = ['paid', 'failed', 'pending'];
const OVER = { kind: 'unknown', why: 'the lease is over' } as const;
const DOWN_NOW = { kind: 'unknown', why: 'the provider is down' } as const;
const TURNED_DOWN = { kind: 'unknown', why: 'turned down, and perhaps taken before' } as const;
const ON_ITS_WAY = { kind: 'unknown', why: 'not there, and perhaps on its way' } as const;

export async function performCall(
  caller: ProviderCaller,
  provider: PayoutProvider | undefined,
  call: PayoutCall,
  { clock, sureNow }: Pick<Context, 'clock' | 'sureNow'>,
  takesOrders: () => boolean = () => true,
): Promise<Performed> {
  // Its settings were taken away while it had orders. Nobody can be asked, and nothing is concluded from that.
  if (provider === undefined) return { answer: { kind: 'unknown', why: 'the provider is not set up' } };
  // Who slept over its lease does nothing more: another one may have found out that the order was never sent, and
  // refunded.
  const isOver = () => clock.now() >= call.leaseEnd;
  if (isOver()) return { answer: OVER };
  // It may have waited for a free place.
  const mayBegin = () => !isOver();
  const submit = () => caller.submit(provider, call.order, mayBegin);
  if (call.do === 'submit') return { answer: await submit() };
  const updated = call.update ? await caller.update(provider, call.order, mayBegin) : undefined;
  const update = updated && updated.kind !== 'unknown' ? { update: updated.kind } : {};
  const isSettled = call.settledAt === null || sureNow() >= call.settledAt;
  const canceled = call.cancel && (await caller.cancel(provider, call.order, mayBegin)).kind === 'canceled';
  if (canceled && isSettled) return { answer: CANCELED, ...update };
  const answer = aboutOrder(await caller.status(provider, call.order));
  // Its word is good for an order that it has. One that is still on its way it would pay, beside the refund.
  if (canceled && HAS_ORDER.includes(answer.kind))
    return { answer: answer.kind === 'paid' ? answer : CANCELED, ...update };
  if (answer.kind !== 'not_found') return { answer, ...update, sentNothing: true };
  // Who does not have the order refuses new details for want of it: they are still to be told.
  const asked = { ...(updated?.kind === 'updated' && update), sentNothing: true } as const;
  // Slept while it waited for this: what was not there then may have been sent, or refunded, since.
  if (isOver()) return { answer: OVER, ...asked };
  // To the provider it is a new order, and operators may have decided that it gets none.
  if (!call.mayResend || !takesOrders()) return { answer: isSettled ? NOT_TAKEN : ON_ITS_WAY, ...asked };
  const resent = await submit();
  // What was sent now has the new details.
  const isTold = call.update && resent.kind !== 'unknown';
  if (!turnsDown(resent)) return { answer: resent, ...(isTold && { update: 'updated' }) };
  return { answer: isSettled ? resent : TURNED_DOWN, ...asked };
}

/**
 * A provider that cannot be reached now may have taken the order before: when it is asked, being down proves nothing.
 * One that says by a code that it has no such order is heard like one that says `not_found`.
 */
function aboutOrder(answer: PayoutAnswer | NotFound): PayoutAnswer | NotFound {
  const isDown = answer.kind === 'failed' && answer.isDown === true;
  if (isDown) return DOWN_NOW;
  return isNotFound(answer) ? NOT_FOUND : answer;
}
