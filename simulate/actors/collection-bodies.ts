/** What callers of the simulation write when they collect: valid collections of several payin types. */
import { ADA } from '../../test/support/payout.ts';
import type { Chance } from '../chance.ts';

interface CollectionKind {
  readonly type: string;
  readonly currency: string;
  readonly flow?: string;
  readonly details: Readonly<Record<string, string>>;
  /** A detail that a caller may correct, with other values that are as good. */
  readonly edit: { readonly name: string; readonly values: readonly string[] };
  /** Whole units of its currency that a payer would pay. */
  readonly least: number;
  readonly most: number;
}

const XOF: CollectionKind = {
  type: 'XOF::Mobile',
  currency: 'XOF',
  details: { phone_number: '+221771234700', mobile_provider: 'orange' },
  edit: { name: 'phone_number', values: ['+221771234701', '+221771234702'] },
  least: 500,
  most: 90_000,
};

const GHS: CollectionKind = {
  type: 'GHS::Mobile',
  currency: 'GHS',
  details: { phone_number: '+233302123400', mobile_provider: 'vodafone' },
  edit: { name: 'phone_number', values: ['+233302123401', '+233302123402'] },
  least: 10,
  most: 2_000,
};

const KINDS: readonly CollectionKind[] = [
  XOF,
  GHS,
  { ...GHS, flow: 'otp_verified_ussd_popup' },
  {
    type: 'UGX::Mobile',
    currency: 'UGX',
    details: { phone_number: '+256772123400' },
    edit: { name: 'phone_number', values: ['+256772123401', '+256772123402'] },
    least: 5_000,
    most: 400_000,
  },
  // Into this one another amount may be paid.
  {
    type: 'NGN::Bank',
    currency: 'NGN',
    details: { account_name: 'Ada Okafor', account_number: '12345678900' },
    edit: { name: 'account_name', values: ['Ada Okafor-Bell', 'A. Okafor'] },
    least: 1_000,
    most: 150_000,
  },
];

export interface CollectionWish {
  readonly kind: CollectionKind;
  /** Of the balance that it goes into; another one than the payer's goes through the exchange. */
  readonly balance: string;
  readonly amount: string;
}

export function drawCollectionWish(chance: Chance): CollectionWish {
  const kind = chance.pick([...KINDS, XOF]);
  const balance = chance.percent(30) ? chance.pick(['USD', 'EUR']) : kind.currency;
  const units = chance.between(kind.least, kind.most);
  const amount = balance === kind.currency ? String(units) : (chance.between(100, 30_000) / 100).toFixed(2);
  return { kind, balance, amount };
}

/** `label`: by it the provider knows what its payer does. */
export function collectionBody(
  { kind, balance, amount }: CollectionWish,
  { externalId, label, sender }: { readonly externalId: string; readonly label: string; readonly sender: object },
) {
  const { type, currency, flow, details } = kind;
  return {
    transaction: {
      external_id: externalId,
      input_currency: currency,
      sender,
      recipients: [
        {
          requested_amount: amount,
          requested_currency: balance,
          payout_method: { type: `${balance}::Balance`, details: { reference: label } },
        },
      ],
      payin_methods: [{ type, ...(flow !== undefined && { ux_flow: flow }), in_details: details }],
    },
  };
}

export function payerOf(name: string) {
  return { ...ADA, external_id: name };
}
