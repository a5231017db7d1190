/** Recipients on the wire, for the description of the interface. Spec: endpoints 7 and 8. */
import { Type } from 'typebox';
import { Recipient } from './transaction.ts';

const bag = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const ChangedRecipient = Type.Object({
  payout_method: Type.Optional(
    Type.Object({ details: Type.Optional(bag('Only the details that change; the others stay.')) }),
  ),
  metadata: Type.Optional(bag('Added to what is stored; keys that are there already are written over.')),
});

export const RecipientBody = Type.Object({ recipient: ChangedRecipient });
export const RecipientAnswer = Type.Object({ object: Recipient });
