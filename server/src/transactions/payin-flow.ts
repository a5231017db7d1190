/**
 * The flow of a payin method, and what it shows before a provider has said anything. Pure. Spec: Payin method
 * (collections).
 */
import type { Context } from '../context.ts';
import type { Details, PayinCorridor, UxFlow } from '../corridors/corridor.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { isBlank } from '../kernel/storable.ts';
import { type Amount, amount } from '../money/amount.ts';
import { toJsonNumber } from '../money/format.ts';
import type { PayinAttempt } from '../payins/attempt.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { payinReferenceOf, REFERENCE_NAMES } from './payin-reference.ts';
import type { PayinAtDesk } from './payin-steps.ts';

/** The usual flow, unless the caller asks for another one that the type has. Open point OP-171. */
export function draftFlow(value: unknown, corridor: PayinCorridor, usual: UxFlow, refusals: Refusal[]): UxFlow {
  if (isBlank(value)) return usual;
  const asked = corridor.uxFlows.find((flow) => flow === value);
  if (asked === undefined) refusals.push(refuse('not_in_list', 'ux_flow'));
  return asked ?? usual;
}

/**
 * The flow of the next prompt: what the caller has chosen stays, what followed from the details follows from these. The
 * last prompt tells which it was, for an edit since then has left the flow alone. An open one keeps its own.
 */
export function nextFlow(
  corridor: PayinCorridor,
  method: PayinMethod,
  last: PayinAttempt | undefined,
  inDetails: Details = method.inDetails,
): UxFlow {
  if (last?.outcome === null) return method.uxFlow;
  const isChosen = method.uxFlow !== corridor.uxFlow(last?.details ?? method.inDetails);
  return isChosen ? method.uxFlow : corridor.uxFlow(inDetails);
}

/** As if nobody had been prompted: what a provider showed was for its own prompt. */
export function inFlow(corridor: PayinCorridor, { method, transaction }: PayinAtDesk, uxFlow: UxFlow): PayinMethod {
  const { inputAmount, paidAmount, inputCurrency } = transaction;
  const due = amount(inputAmount - paidAmount, inputCurrency);
  return { ...method, uxFlow, outDetails: shownAtOnce(transaction, due, corridor, uxFlow), instructions: {} };
}

/** Before another prompt, with the details as they are now. */
export function renewed(
  { catalogue }: Pick<Context, 'catalogue'>,
  at: PayinAtDesk,
  last: PayinAttempt | undefined,
): PayinMethod {
  const corridor = catalogue.payin(at.method.type);
  if (corridor === undefined || last?.outcome === null) return at.method;
  return inFlow(corridor, at, nextFlow(corridor, at.method, last));
}

/**
 * What the type says of its flow, and what the payer has to quote and to pay, where the flow shows that. The rest is
 * the provider's, and comes with its answer to the prompt. Open point OP-18.
 */
export function shownAtOnce(
  of: { readonly transactionId: string },
  due: Amount | undefined,
  corridor: PayinCorridor,
  uxFlow: UxFlow,
): Readonly<Record<string, unknown>> {
  const { keys = [], ...ofTheFlow } = Object.fromEntries(corridor.outDetails.get(uxFlow) ?? []);
  const known = new Map<string, unknown>(REFERENCE_NAMES.map((name) => [name, payinReferenceOf(of)]));
  if (due !== undefined) known.set('amount', toJsonNumber(due));
  const shown = Array.isArray(keys) ? keys.filter((name) => known.has(name)) : [];
  return { ...ofTheFlow, ...Object.fromEntries(shown.map((name) => [name, known.get(name)])) };
}
