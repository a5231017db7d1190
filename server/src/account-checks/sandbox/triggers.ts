/**
 * What the sandbox finds, by the last digits of an account or phone number: the published triggers, and ours for what
 * nothing is published for. Ours end in the three digits of the code that the outcome has in a payout.
 * docs/sandbox.md shows the same rows. Open points OP-85 and OP-196.
 */
import type { CheckKind } from '../account-check.ts';

export type SandboxFinding = 'not_found' | 'somebody_else' | 'other_operator' | 'inactive' | 'no_answer';

interface PublishedTrigger {
  readonly payoutType: string;
  readonly mobileProvider?: string;
  readonly ending: string;
  readonly finds: SandboxFinding;
}

export const PUBLISHED: readonly PublishedTrigger[] = [
  { payoutType: 'NGN::Bank', ending: '39', finds: 'not_found' },
  { payoutType: 'GHS::Bank', ending: '9', finds: 'not_found' },
  { payoutType: 'GHS::Mobile', ending: '9', finds: 'not_found' },
  { payoutType: 'UGX::Mobile', mobileProvider: 'airtel', ending: '29', finds: 'not_found' },
  { payoutType: 'UGX::Mobile', mobileProvider: 'mtn', ending: '19', finds: 'inactive' },
];

interface OwnTrigger {
  readonly kinds: readonly CheckKind[];
  readonly ending: string;
  readonly finds: SandboxFinding;
}

export const OURS: readonly OwnTrigger[] = [
  { kinds: ['name'], ending: '044', finds: 'somebody_else' },
  { kinds: ['telco'], ending: '413', finds: 'other_operator' },
  { kinds: ['telco'], ending: '414', finds: 'not_found' },
  { kinds: ['status'], ending: '432', finds: 'inactive' },
  { kinds: ['name', 'telco', 'status'], ending: '012', finds: 'no_answer' },
];
