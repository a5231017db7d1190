/**
 * A payin method as the API and webhooks show it. Spec: Payin method (collections). The further fields are published
 * (open point OP-18); the external id of the transaction is sent under both published names (open point OP-13).
 */
import type { PayinMethod } from './payin-method.ts';
import { textOf } from './state-reason.ts';

export function viewPayinMethod(method: PayinMethod, parent: { readonly externalId: string | null }) {
  return {
    id: method.payinMethodId,
    type: method.type,
    ux_flow: method.uxFlow,
    transaction_id: method.transactionId,
    transaction_external_id: parent.externalId,
    external_id: parent.externalId,
    state: method.state,
    state_reason: method.stateReasonDetails && textOf(method.stateReasonDetails),
    state_reason_details: method.stateReasonDetails,
    in_details: method.inDetails,
    out_details: method.outDetails,
    instructions: method.instructions,
    provider: method.provider,
    ...(method.otpRejected && { errors: { otp: [{ error: 'invalid' }] } }),
    created_at: method.createdAt.toISOString(),
  };
}
