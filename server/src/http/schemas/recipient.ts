/** Recipients on the wire, for the description of the interface. Spec: endpoints 7 and 8. Open point OP-153. */
import { type Static, Type } from 'typebox';
import { CURRENCIES } from '../../money/currencies.ts';
import { STATES } from '../../recipients/states.ts';
import { CREATED_DAYS_QUERY } from '../created-days.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { bag } from './shared-forms.ts';
import { CurrencyCode, Recipient, RecipientState } from './transaction.ts';

const ChangedRecipient = Type.Object(
  {
    payout_method: Type.Optional(
      Type.Object(
        { details: Type.Optional(bag('Only the details that change; the others stay.')) },
        { description: 'How it is paid from now on; the type stays.' },
      ),
    ),
    metadata: Type.Optional(bag('Added to what is stored; keys that are there already are written over.')),
  },
  { description: 'What changes.' },
);

export const RecipientBody = Type.Object({ recipient: ChangedRecipient });
export const RecipientAnswer = Type.Object({ object: Recipient });

export const RecipientList = Type.Object({
  object: Type.Array(Recipient),
  meta: Type.Object({ pagination: Pagination }),
});

/** Digits enough for every amount; read exactly. */
const amount = (description: string) => Type.String({ pattern: '^[0-9]{1,15}(\\.[0-9]{1,10})?$', description });

export const RecipientQuery = Type.Object({
  ...PAGE_QUERY,
  ...CREATED_DAYS_QUERY,
  amount_from: Type.Optional(amount('Least input_amount; needs a currency.')),
  amount_to: Type.Optional(amount('Largest input_amount; needs a currency.')),
  state: Type.Optional(
    Type.Array(RecipientState, { maxItems: STATES.length, description: 'One or several: state=error&state=manual.' }),
  ),
  currency: Type.Optional(
    Type.Array(CurrencyCode, { maxItems: CURRENCIES.length, description: 'Input currencies, one or several.' }),
  ),
});
export type RecipientQuery = Static<typeof RecipientQuery>;
