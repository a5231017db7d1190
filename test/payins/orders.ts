/** A valid prompt: what matters to a test is passed in, the rest has good defaults. */
import type { PayinOrder } from '../../server/src/providers/payin-provider.ts';
import { NOON } from '../support/manual-clock.ts';

let made = 0;

export function aPrompt(over: Partial<PayinOrder> = {}): PayinOrder {
  made += 1;
  return {
    reference: `prompt-${made}`,
    accountId: '0b8f9a52-6d7e-7000-8000-000000000001',
    transactionId: '0b8f9a52-6d7e-7000-8000-000000000002',
    payinMethodId: `0b8f9a52-6d7e-7000-8000-${String(made).padStart(12, '0')}`,
    payinType: 'XOF::Mobile',
    uxFlow: 'ussd_popup',
    details: { phone_number: '+221771234700', mobile_provider: 'orange' },
    amount: { minor: 10_000n, currency: 'XOF' },
    payinReference: '0123456789ABCDEF',
    shows: [],
    sender: { first_name: 'Ada', last_name: 'Example', country: 'GB' },
    attemptNumber: 1,
    startedAt: NOON,
    ...over,
  };
}
