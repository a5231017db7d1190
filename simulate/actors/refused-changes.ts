/**
 * Callers whose requests would change what is there already, and are refused: a transaction that would change its
 * sender, edits with a fault in them, debits that cannot be. Each has a sender and a transaction of its own, so that
 * what they were before is known.
 */
import type { Chance } from '../chance.ts';
import type { Happening, Stage } from '../stage.ts';
import type { HeardAnswer } from '../world.ts';
import { textAt } from './answers.ts';
import { payoutBody, senderCalled, TOO_MUCH } from './bodies.ts';
import { Caller } from './caller.ts';

const KINDS = [
  'transaction that changes its sender, by id',
  'transaction that changes its sender, by external id',
  'edit of the sender',
  'edit of the recipient',
  'debit of another amount',
] as const;
type Kind = (typeof KINDS)[number];

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

interface RefusedShape {
  readonly tenants: number;
  readonly lives: number;
  readonly forMs: number;
}

interface Life {
  readonly number: number;
  readonly tenant: number;
  readonly asks: readonly { readonly afterMs: number; readonly kind: Kind; readonly isFunded: boolean }[];
}

interface Own {
  readonly caller: Caller;
  readonly name: string;
  readonly senderId: string;
  readonly transactionId: string;
  readonly recipientId: string;
}

export function drawRefusedChanges(chance: Chance, { tenants, lives, forMs }: RefusedShape): Happening[] {
  return Array.from({ length: lives }, (_, number) => {
    const own = chance.of(number);
    const life: Life = {
      number,
      tenant: own.below(tenants),
      asks: Array.from({ length: own.between(2, 5) }, () => ({
        afterMs: own.pick([0, SECOND_MS, 10 * MINUTE_MS]),
        kind: own.pick(KINDS),
        isFunded: own.percent(50),
      })),
    };
    return {
      label: `R${number} of tenant ${life.tenant}: changes that are refused`,
      atMs: own.below(forMs),
      start: (stage) => stage.world.spawn(`refused changes ${number}`, () => live(stage, life)),
    };
  });
}

async function live(stage: Stage, { number, tenant: place, asks }: Life): Promise<void> {
  const tenant = stage.tenants[place];
  if (!tenant) return;
  const caller = new Caller(stage, tenant, `R${number}`);
  const name = `unchanged-${number}`;
  const sender = senderCalled(name);
  const introduced = await caller.introduce(sender);
  const made = await caller.make(payout(name, sender, '15.00'), false);
  const own = {
    caller,
    name,
    senderId: textAt(introduced?.body, 'object', 'id') ?? textAt(made, 'sender', 'id') ?? '',
    transactionId: textAt(made, 'id') ?? '',
    recipientId: textAt(made, 'recipients', 0, 'id') ?? '',
  };
  if (made === undefined) return;
  for (const [turn, { afterMs, kind, isFunded }] of asks.entries()) {
    await stage.world.sleep(afterMs);
    const answer = await ask(own, { kind, isFunded, change: `${turn + 2} High Street` });
    if (answer !== undefined && answer.status < 300) stage.world.violate('a bad request is refused', kind);
  }
}

interface Ask {
  readonly kind: Kind;
  readonly isFunded: boolean;
  readonly change: string;
}

function ask(own: Own, { kind, isFunded, change }: Ask): Promise<HeardAnswer | undefined> {
  const { caller, name, senderId, transactionId, recipientId } = own;
  const { senderDetails, recipientDetails } = caller.stage.promises;
  const street = { street: change };
  // By its own fault, or by the debit, which is decided on when its sender has been.
  const amount = isFunded && !caller.tenant.mayOverdraw ? TOO_MUCH : '-5';
  const nothing = (sender: object) => caller.create(payout(`${name}, ${change}`, sender, amount), isFunded);
  switch (kind) {
    case 'transaction that changes its sender, by id':
      return senderDetails.edit(senderId, street, () => nothing({ id: senderId, ...street }));
    case 'transaction that changes its sender, by external id':
      return senderDetails.edit(senderId, street, () => nothing({ ...senderCalled(name), ...street }));
    case 'edit of the sender': {
      const sender = { ...street, email: 'nowhere' };
      return senderDetails.edit(senderId, sender, () => caller.call('PATCH', `/v1/senders/${senderId}`, { sender }));
    }
    case 'edit of the recipient': {
      const details = { first_name: 'Binta', bank_code: 'none' };
      return recipientDetails.edit(recipientId, details, () =>
        caller.call('PATCH', `/v1/recipients/${recipientId}`, { recipient: { payout_method: { details } } }),
      );
    }
    case 'debit of another amount':
      return caller.debit([transactionId], { amount: '14.99', currency: 'USD' });
  }
}

function payout(externalId: string, sender: object, amount: string) {
  const recipients = [{ isCash: false, amount, lastName: externalId }];
  return payoutBody({ externalId, inputCurrency: 'USD', sender, recipients }).transaction;
}
