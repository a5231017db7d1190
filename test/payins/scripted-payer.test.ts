import { type PayinSituation, payinProviderKit } from './kit.ts';
import { aPrompt } from './orders.ts';
import { type Part, ScriptedPayer } from './scripted-payer.ts';

const PARTS: Partial<Record<PayinSituation, Part>> = {
  waits: { does: 'wait' },
  processes: { does: 'process' },
  fails: { does: 'fail', code: '412' },
  'fails with a code that is not published': { does: 'fail', code: '999' },
  'needs the one-time code': { does: 'ask for the code', right: '123456' },
  'pays another amount': { does: 'pay', minor: 7_000n },
  'pays although it was canceled': { does: 'wait' },
  'keeps its prompts': { does: 'wait', keeps: true },
  'takes the prompt and goes silent': { does: 'pay', prompt: 'hangs' },
  'loses the prompt and goes silent': { does: 'lose', prompt: 'hangs' },
};

payinProviderKit('the scripted payer', {
  arrange: (situation) => {
    const provider = new ScriptedPayer();
    const order = aPrompt();
    const part = PARTS[situation] ?? { does: 'pay' };
    provider.script(order.payinMethodId, part);
    return {
      provider,
      order,
      codes: { right: '123456', wrong: '000000' },
      becomes: (outcome) =>
        provider.later(order.reference, outcome === 'paid' ? { does: 'pay' } : { does: 'fail', code: '4' }),
      timesPrompted: () => provider.promptsOf(order.payinMethodId).length,
      recovers: () => provider.script(order.payinMethodId, { ...part, prompt: 'answers' }),
    };
  },
  cannot: {},
});
