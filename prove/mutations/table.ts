/** All planted faults, by area, in the order of docs/proof.md. */
import { AUTHENTICATION, REQUESTS, SENDERS } from './callers.ts';
import { COLLECTIONS } from './collections.ts';
import { FUNDING } from './funding.ts';
import { LEDGER, MONEY } from './money-and-ledger.ts';
import type { Area, Mutant } from './mutant.ts';
import { OPERATORS } from './operators.ts';
import { PAYOUTS } from './payouts.ts';
import { RUNNING } from './running.ts';
import { WEBHOOKS } from './webhooks.ts';

export const AREAS: readonly Area[] = [
  MONEY,
  LEDGER,
  FUNDING,
  PAYOUTS,
  COLLECTIONS,
  WEBHOOKS,
  SENDERS,
  AUTHENTICATION,
  REQUESTS,
  OPERATORS,
  RUNNING,
];

export const MUTANTS: readonly Mutant[] = AREAS.flatMap(({ mutants }) => mutants);
