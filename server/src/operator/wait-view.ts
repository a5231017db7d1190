/** What a recipient waits for, as operators see it: a word for programs, and a sentence for people. */
import { unreachable } from '../kernel/assert.ts';
import type { FindTakers, Taker } from '../providers/takers.ts';
import type { DueReason } from '../senders/sender.ts';
import type { SenderState } from '../senders/states.ts';
import type { SeenRecipient } from '../transactions/show-recipient.ts';
import { type Wait, waitsFor } from '../transactions/waits-for.ts';
import type { OperatorContext } from './command.ts';
import { timeView } from './time-view.ts';

/** `takers`: who takes orders, as this process sees it. */
export function waitView(
  { catalogue, settings, clock }: Pick<OperatorContext, 'catalogue' | 'settings' | 'clock'>,
  takers: FindTakers,
  seen: SeenRecipient,
) {
  const { payoutType } = seen.recipient;
  const wait = waitsFor({
    ...seen,
    corridor: catalogue.payout(payoutType),
    takers: takers(payoutType),
    policy: settings.payouts,
    now: clock.now(),
  });
  if (wait === null) return null;
  return {
    what: wait.what,
    says: sayWait(wait),
    at: timeView(wait.at),
    provider: 'provider' in wait ? wait.provider : null,
    /** Those that take no orders of its type, as this process sees them. */
    providers: wait.what === 'providers' ? wait.takers.map(takerView) : [],
  };
}
export type WaitView = ReturnType<typeof waitView>;

function takerView({ provider, closed }: Taker) {
  return {
    name: provider,
    why: closed?.why ?? null,
    since: closed !== null && 'since' in closed ? closed.since.toISOString() : null,
    by: closed?.why === 'held' ? closed.by : null,
  };
}

function sayWait(wait: Wait): string {
  const at = wait.at?.toISOString() ?? 'a time that is not known';
  switch (wait.what) {
    case 'funding':
      return `Its transaction has no money yet, and is canceled at ${at} unless it is funded before.`;
    case 'payer':
      return PAYER[wait.step](at);
    case 'sender':
      return saySender(wait);
    case 'review':
      return sayReview(wait);
    case 'account_check':
      return wait.isUnderWay ? 'Its account is being checked.' : `Its account is checked at ${at}, before it is paid.`;
    case 'provider':
      return PROVIDER[wait.step](wait.provider, at);
    case 'providers':
      return sayProviders(wait, at);
    case 'retry':
      return `The last attempt failed; the next one is made at ${at}.`;
    case 'caller':
      return CALLER[wait.about](wait.at);
    case 'refund':
      return wait.isSettling
        ? 'Its time is over: it is refunded once the providers have said what became of what they have of its transaction.'
        : 'Its time is over: the next worker that looks at it refunds it.';
    case 'people':
      return PEOPLE[wait.why](wait.provider ?? 'its provider', at);
    case 'turn':
      return wait.wasUnwanted
        ? `Who looked at it last had no provider for it. As this process sees them ${wait.provider} takes it now: it is looked at again at ${at}.`
        : `It is due since ${at}: the next free worker takes it.`;
    default:
      return unreachable(wait);
  }
}

type Of<What extends Wait['what']> = Extract<Wait, { what: What }>;

const PAYER = {
  payment: (at) => `Its payer has not paid; the collection is canceled at ${at} unless that happens before.`,
  confirmation: () => 'Its payer has paid, and the provider has not confirmed it yet.',
  more: (at) => `Its payer may add to what was paid until ${at}.`,
} as const satisfies Record<Of<'payer'>['step'], (at: string) => string>;

const CALLER = {
  payout: (at) =>
    `It is not tried again by itself: its caller has to edit it or cancel it.${at === null ? '' : ` Otherwise it is refunded by itself at ${at.toISOString()}, should nobody of its transaction be paid before.`}`,
  prompt: (at) =>
    `The prompt of its payer failed and is not repeated by itself: its caller has to edit or retry the payin method. The collection is canceled at ${at?.toISOString()} unless it is paid before.`,
} as const satisfies Record<Of<'caller'>['about'], (at: Date | null) => string>;

const PROVIDER = {
  call: (provider) => `A call to ${provider} about it is under way.`,
  answer: (provider, at) =>
    `It was sent to ${provider}, which has not said what became of it; it is asked again at ${at}.`,
  cancel: (provider, at) =>
    `It is to be canceled, but was sent to ${provider}: it is refunded once that has failed. It is asked again at ${at}.`,
  news: (provider, at) => `Its last attempt failed, and ${provider} has announced more about it: it is asked at ${at}.`,
} as const satisfies Record<Of<'provider'>['step'], (provider: string, at: string) => string>;

const PEOPLE = {
  manual: () => 'It failed too often: retry it once the cause is mended, or cancel it.',
  stuck: (provider, at) =>
    `${provider} has been silent for too long: find out by another way what became of it. It is asked on, next at ${at}.`,
  exception: () => 'What was heard of it contradicts what was known, or broke a rule: find out, and decide.',
  transaction: () => 'Its transaction is in exception: nothing is sent until that is decided on.',
  put_off: () => 'The work on its transaction breaks, and is tried again every few minutes; the log says why.',
  suspense: (_, at) =>
    `A payment into its collection is in suspense: accept or return it (payferry payin suspense). The collection itself is canceled at ${at} unless it is paid before.`,
  type_gone: () => 'Its payout type is not in the catalogue any more: it goes on once that is back.',
} as const satisfies Record<Of<'people'>['why'], (provider: string, at: string) => string>;

/** What is due of a sender because it has not passed its checks. */
const CHECKS: readonly string[] = ['created', 'edited', 'lifted'] satisfies readonly DueReason[];

function saySender({ sender, at }: Of<'sender'>): string {
  const now = `Its sender is ${sender.state}`;
  const until = at === null ? '' : ` Unless that changes before ${at.toISOString()}, it is canceled then.`;
  if (sender.due !== null && CHECKS.includes(sender.due.for)) return `${now}, and its checks have not run yet.${until}`;
  return `${now}: nothing is sent for it until it is approved (payferry review show ${sender.senderId}).${until}`;
}

function sayReview({ holds, sender }: Of<'review'>): string {
  const why = holds.map(({ reason, rules, transactionId }) => {
    const isOfSender = reason === 'sender';
    const what = isOfSender ? DOUBT[sender.state] : rules.map(({ says }) => says).join('; ');
    // A sender is decided on as a sender, as long as it is there.
    const where =
      isOfSender && sender.state !== 'disabled' ? `review show ${sender.senderId}` : `hold show ${transactionId}`;
    return `${what} (payferry ${where})`;
  });
  return why.length === 0 ? 'Its transaction is under review.' : `Its transaction is under review: ${why.join('; ')}.`;
}

/** Why a sender holds what was funded when it was approved. */
const DOUBT = {
  initial: 'its sender is being checked again',
  verified: 'its sender is being checked again',
  approved: 'its sender was in doubt and is approved again, so that it goes on by itself',
  banned: 'its sender is banned',
  rejected: 'its sender is rejected',
  disabled: 'its sender was in doubt when its caller deleted it, and nobody can approve it any more',
} as const satisfies Record<SenderState, string>;

function sayProviders({ payoutType, takers }: Of<'providers'>, at: string): string {
  if (takers.length === 0) return `Nobody pays ${payoutType}: no provider is set up for it.`;
  const each = takers.map(({ provider, closed }) => `${provider} ${sayClosed(closed)}`).join(', ');
  return `As this process sees them, no provider takes orders of ${payoutType}: ${each}. It is looked at again at ${at}.`;
}

function sayClosed(closed: Taker['closed']): string {
  switch (closed?.why) {
    case 'type_off':
      return 'is off with the whole type';
    case 'switched_off':
      return 'is switched off for the type';
    case 'held':
      return `was paused by ${closed.by} at ${closed.since.toISOString()}`;
    case 'paused':
      return `is paused since ${closed.since.toISOString()} because it failed`;
    case undefined:
      return 'takes orders';
  }
}
