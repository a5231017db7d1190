/** Callers whose requests are refused: too much money, wrong fields, no such thing. A 422 must leave nothing behind. */
import type { Chance } from '../chance.ts';
import type { Happening } from '../stage.ts';
import { payoutBody, senderCalled, TOO_MUCH } from './bodies.ts';
import { Caller } from './caller.ts';

type Kind = 'too much' | 'no recipients' | 'unknown type' | 'bad amount' | 'debit of nothing' | 'debit of another';

const KINDS: readonly Kind[] = [
  'too much',
  'no recipients',
  'unknown type',
  'bad amount',
  'debit of nothing',
  'debit of another',
];
const NOBODY = '00000000-0000-7000-8000-000000000000';

interface BadShape {
  readonly tenants: number;
  readonly requests: number;
  readonly forMs: number;
}

export function drawBadRequests(chance: Chance, { tenants, requests, forMs }: BadShape): Happening[] {
  return Array.from({ length: requests }, (_, number) => {
    const own = chance.of(number);
    const kind = own.pick(KINDS);
    const place = own.below(tenants);
    return {
      label: `bad request of tenant ${place}: ${kind}`,
      atMs: own.below(forMs),
      start: (stage) => {
        const tenant = stage.tenants[place];
        if (!tenant || (kind === 'too much' && tenant.mayOverdraw)) return;
        const caller = new Caller(stage, tenant, `B${number}`);
        stage.world.spawn(`bad request ${number}`, () => ask(caller, kind, `bad-${number}`));
      },
    };
  });
}

async function ask(caller: Caller, kind: Kind, externalId: string): Promise<void> {
  if (kind === 'debit of nothing' || kind === 'debit of another') return debit(caller, kind);
  const good = payoutBody({
    externalId,
    inputCurrency: 'USD',
    sender: senderCalled(`sender-of-${externalId}`),
    recipients: [{ isCash: false, amount: kind === 'too much' ? TOO_MUCH : '10.00', lastName: externalId }],
  });
  const { transaction } = good;
  const [recipient] = transaction.recipients;
  const bad = {
    'too much': transaction,
    'no recipients': { ...transaction, recipients: [] },
    'unknown type': {
      ...transaction,
      recipients: [{ ...recipient, payout_method: { type: 'XYZ::Bank', details: {} } }],
    },
    'bad amount': { ...transaction, recipients: [{ ...recipient, requested_amount: '-5' }] },
  }[kind];
  const answer = await caller.create(bad, true);
  if (answer?.status === 201) caller.stage.world.violate('a bad request is refused', `${kind}: 201`);
}

/** Of a transaction that does not exist, or that belongs to another account. */
async function debit(caller: Caller, kind: Kind): Promise<void> {
  const { stage, tenant } = caller;
  const others = stage.promises.created.filter(({ accountId }) => accountId !== tenant.accountId);
  const id = kind === 'debit of nothing' ? NOBODY : (others[0]?.transactionId ?? NOBODY);
  const answer = await caller.debit([id]);
  if (answer?.status === 200) stage.world.violate('a bad request is refused', `${kind}: 200`);
}
