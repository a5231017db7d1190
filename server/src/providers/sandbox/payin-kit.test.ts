import { type PayinSituation, payinProviderKit } from '../../../../test/payins/kit.ts';
import { aPrompt } from '../../../../test/payins/orders.ts';
import { manualClock, NOON } from '../../../../test/support/manual-clock.ts';
import { SandboxPayinProvider } from './payin.ts';
import { WRONG_OTP } from './payin-stories.ts';

const WORD: Partial<Record<PayinSituation, string>> = {
  waits: 'Later',
  processes: 'Processing',
  fails: '412',
  'fails with a code that is not published': '999',
  'needs the one-time code': 'Otp',
  'pays another amount': 'Less',
  'pays twice': 'Twice',
  'pays although it was canceled': 'Late',
  'keeps its prompts': 'Keep',
  'takes the prompt and goes silent': 'Timeout',
  'loses the prompt and goes silent': 'Lost',
};
const TWO_HOURS_MS = 7_200_000;

payinProviderKit('the sandbox', {
  arrange: (situation) => {
    const clock = manualClock(NOON);
    return {
      provider: new SandboxPayinProvider({ name: 'sandbox_auto', clock, latencyMs: () => 0 }),
      order: aPrompt({ collectionReference: `Sandbox ${WORD[situation] ?? 'Paid'}` }),
      codes: { right: '123456', wrong: WRONG_OTP },
      becomes: () => clock.advance(TWO_HOURS_MS),
    };
  },
  cannot: {
    'counts prompts': 'it prompts nobody, and keeps no prompts in mind',
    'does not know a prompt': 'it keeps no prompts in mind, and answers for all',
    'calls back': 'it never calls by itself: it is asked',
  },
});
