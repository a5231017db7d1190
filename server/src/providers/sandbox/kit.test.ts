import { payoutProviderKit, type Situation } from '../../../../test/providers/kit.ts';
import { orderAsking } from '../../../../test/providers/orders.ts';
import { manualClock, NOON } from '../../../../test/support/manual-clock.ts';
import { SandboxProvider } from './provider.ts';
import { TURN_MS } from './stories.ts';

const NO_NETWORK = 'it answers within the process; there is no network that could do this';

const WORD: Partial<Record<Situation, string>> = {
  fails: '416',
  'fails with a code that is not published': '999',
  waits: 'Later',
  overpays: 'Overpaid',
  'is out of service': 'Down',
  'takes the order and goes silent': 'Timeout',
  'loses the order and goes silent': 'Lost',
  'answers slowly': 'Slow',
  'waits with cash': 'Pickup',
  'waits with cash and keeps it': 'Keep',
  'goes silent over cash': 'Silent',
};

payoutProviderKit('the sandbox provider', {
  arrange: async (situation) => {
    const clock = manualClock(NOON);
    const payoutType = situation.includes('cash') ? 'MAD::Cash' : 'NGN::Bank';
    return {
      provider: new SandboxProvider({ name: 'sandbox_auto', clock, latencyMs: () => 0 }),
      order: orderAsking(WORD[situation] ?? 'Paid', { payoutType }),
      becomes: () => clock.advance(TURN_MS),
      end: async () => undefined,
    };
  },
  cannot: {
    'cannot be reached': NO_NETWORK,
    'breaks off its answer': NO_NETWORK,
    'answers nonsense': NO_NETWORK,
    'answers about another order': NO_NETWORK,
    'answers with an error page': NO_NETWORK,
    'answers with a word that is not listed': NO_NETWORK,
    'fails later': 'no story fails after it was pending; Late and Reversed have tests of their own',
    'pays late': 'the story Late has a test of its own',
    recovers: 'what it does follows from the order and the time alone',
    'does not know an order': 'it keeps no orders in mind, and answers for all',
  },
});
