import { FakeBridge, type Manner, type Plan } from '../../../../test/providers/fake-bridge.ts';
import { payoutProviderKit, type Situation } from '../../../../test/providers/kit.ts';
import type { Told } from '../../../../test/providers/kit-callbacks.ts';
import { anOrder } from '../../../../test/providers/orders.ts';
import { manualClock, NOON } from '../../../../test/support/manual-clock.ts';
import { BridgeProvider } from './provider.ts';
import { signedHeaders } from './signature.ts';

const SECRET = 's'.repeat(32);
const CASH: Plan = { status: 'pending', code: '21', paymentReference: '0042' };

const PLANS: Partial<Record<Situation, Plan>> = {
  fails: { status: 'failed', code: '416' },
  'fails with a code that is not published': { status: 'failed', code: '999' },
  waits: { status: 'pending', code: '14' },
  overpays: { status: 'paid', paidAmount: '3000.00' },
  'waits with cash': CASH,
  'waits with cash and keeps it': CASH,
  'goes silent over cash': CASH,
};

const MANNERS: Partial<Record<Situation, Manner>> = {
  'is out of service': 'out of service',
  'takes the order and goes silent': 'silent',
  'loses the order and goes silent': 'silent and deaf',
  'breaks off its answer': 'half',
  'answers nonsense': 'nonsense',
  'answers about another order': 'another order',
  'answers with an error page': 'error page',
  'answers with a word that is not listed': 'unlisted word',
  'answers slowly': 'slow',
  'goes silent over cash': 'silent',
};

payoutProviderKit('the bridge', {
  arrange: async (situation) => {
    const clock = manualClock(NOON);
    const bank = new FakeBridge(SECRET, clock.now);
    await bank.open();
    bank.manner = MANNERS[situation] ?? 'well';
    bank.plan = PLANS[situation] ?? { status: 'paid' };
    bank.keeps = situation === 'waits with cash and keeps it';
    if (situation === 'cannot be reached') await bank.close();
    const provider = new BridgeProvider({ name: 'bridge', url: bank.url, secret: SECRET, clock });
    const order = anOrder();
    return {
      provider,
      order,
      timesPaid: () => bank.timesPaid(order.reference),
      heard: () => bank.heard,
      becomes: (outcome) => bank.becomes(order.reference, outcome),
      recovers: async () => {
        bank.manner = 'well';
      },
      end: async () => {
        await bank.close();
        await provider.close();
      },
    };
  },
  cannot: {},
  callbacks: async () => {
    const provider = new BridgeProvider({
      name: 'bridge',
      url: 'http://127.0.0.1:1',
      secret: SECRET,
      clock: manualClock(NOON),
    });
    return {
      provider,
      now: () => NOON,
      callback: (told, over) => {
        const body = JSON.stringify({ payouts: told.map(wordsOf) });
        const headers = signedHeaders('callback bridge', body, over?.secret ?? SECRET, over?.at ?? NOON);
        return { headers, rawBody: Buffer.from(body) };
      },
    };
  },
});

function wordsOf({ reference, outcome }: Told) {
  if (outcome === 'failed') return { reference, status: outcome, code: '416' };
  return { reference, status: outcome === 'something else' ? 'done' : outcome };
}
