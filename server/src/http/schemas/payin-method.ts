/** Payin methods on the wire, for the description of the interface. Spec: Payin method (collections). OP-18, OP-21. */
import { Type } from 'typebox';
import { UX_FLOWS } from '../../corridors/file-shape.ts';
import { STATES } from '../../payins/states.ts';
import { bag, textOrNull, uuid } from './shared-forms.ts';

const ofCalculate = 'Absent in what calculate answers.';

const UxFlow = Type.Enum([...UX_FLOWS], { description: 'What the payer has to do.' });

export const NewPayinMethod = Type.Object({
  type: Type.String({ description: 'A payin type: XOF::Mobile. Its currency is the input currency.' }),
  ux_flow: Type.Optional(
    Type.Enum([...UX_FLOWS], { description: 'What the payer has to do; that of the type when not given.' }),
  ),
  in_details: Type.Optional(
    bag(
      'What the payin type asks for: its fields are told by /v1/info/payment_methods/in. Needed where one of them is.',
    ),
  ),
});

export const PayinMethod = Type.Object({
  id: Type.Optional(uuid(ofCalculate)),
  type: Type.String({ description: 'A payin type: XOF::Mobile.' }),
  ux_flow: UxFlow,
  transaction_id: Type.Optional(uuid(ofCalculate)),
  transaction_external_id: textOrNull('The external_id of the transaction.'),
  external_id: textOrNull('The same once more.'),
  state: Type.Enum(
    STATES.map(({ state }) => state),
    { description: 'Where the payment of the payer stands.' },
  ),
  state_reason: textOrNull('What the payer has to do, or what went wrong.'),
  state_reason_details: Type.Union([
    Type.Object({
      code: Type.String({ description: 'The code of the state.' }),
      category: Type.String({ description: 'The kind of code, which says who can do something about it.' }),
      messages: Type.Array(Type.String(), {
        description: 'Three texts, each with more detail than the one before it.',
      }),
      description: Type.String({ description: 'A text that may be shown to anybody.' }),
    }),
    Type.Null(),
  ]),
  in_details: bag('The details as they were sent.'),
  out_details: bag('What the payer needs in order to pay, for programs.'),
  instructions: bag('The same for people.'),
  provider: textOrNull('Who collects, once that is known.'),
  errors: Type.Optional(bag('A one-time code that was not taken: { otp: [{ error: "invalid" }] }.')),
  created_at: Type.Optional(Type.String({ format: 'date-time', description: ofCalculate })),
});

export const PayinMethodAnswer = Type.Object({ object: PayinMethod });

export const PayinMethodChange = Type.Object({
  type: Type.Optional(Type.String({ description: 'The type that it has; another one is refused.' })),
  ux_flow: Type.Optional(UxFlow),
  in_details: Type.Optional(bag('Only the details that change; the others stay. The one-time code is `otp`.')),
});
