/** Who pays into a collection, as its caller has named the payer. Pure. */
import type { PayinAttempt } from './attempt.ts';
import type { PayinMethod } from './payin-method.ts';

export interface Payer {
  /** The payin type, such as XOF::Mobile: the fields of the details are those of its `in_details`. */
  readonly type: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * As it was sent to the provider, where there was a prompt. The one-time code says nothing about the payer, and is the
 * payer's secret.
 */
export function payerOf(
  { type, inDetails }: Pick<PayinMethod, 'type' | 'inDetails'>,
  prompt: Pick<PayinAttempt, 'details'> | undefined,
): Payer {
  const { otp: _, ...details } = prompt?.details ?? inDetails;
  return { type, details };
}
