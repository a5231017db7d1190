/** What an answer has acknowledged goes to the promises: with what was asked for, which is what has to be there. */
import type { Details } from '../known-details.ts';
import type { Promises } from '../promises.ts';
import type { Tenant } from '../stage.ts';
import { at, listAt, textAt } from './answers.ts';

export interface AskedTransaction {
  readonly external_id: string;
  readonly sender: object;
  readonly recipients: readonly object[];
  readonly payin_methods?: readonly object[];
}

/** Tells whether it is new to us. */
export function keepTransaction(promises: Promises, tenant: Tenant, made: unknown, asked: AskedTransaction): boolean {
  const { accountId } = tenant;
  const transactionId = textAt(made, 'id') ?? '';
  if (promises.created.some((each) => each.transactionId === transactionId)) return false;
  promises.created.push({ accountId, externalId: asked.external_id, transactionId });
  keepSender(promises, tenant, at(made, 'sender'), asked.sender);
  for (const [place, recipient] of asked.recipients.entries()) {
    const id = textAt(made, 'recipients', place, 'id') ?? '';
    promises.recipientDetails.learn(id, textsIn(at(recipient, 'payout_method', 'details')));
  }
  for (const [place, method] of listAt(asked, 'payin_methods').entries()) {
    const id = textAt(made, 'payin_methods', place, 'id') ?? '';
    promises.payinDetails.learn(id, textsIn(at(method, 'in_details')));
  }
  return true;
}

export function keepSender(promises: Promises, { accountId }: Tenant, made: unknown, asked: object): void {
  const senderId = textAt(made, 'id') ?? '';
  promises.senders.set(senderId, { accountId, externalId: textAt(made, 'external_id') ?? '' });
  const { type: _type, external_id: _name, ...details } = textsIn(asked);
  promises.senderDetails.learn(senderId, details);
}

function textsIn(value: unknown): Details {
  return Object.fromEntries(Object.entries(Object(value)).filter(([, each]) => typeof each === 'string'));
}
