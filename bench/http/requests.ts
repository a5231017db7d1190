/** Signed requests as the bytes that go over the wire, made before any time is measured. */
import { randomUUID } from 'node:crypto';
import { signByFormula } from '../../test/support/signed-caller.ts';

export interface Payer {
  readonly key: string;
  readonly secret: string;
  /** External ids of its senders. */
  readonly senders: readonly string[];
}

const PATH = '/v1/transactions/create_and_fund';

/** One create_and_fund for each of the count; neighbours are of different accounts, as they would be in a stream. */
export function signedPayouts(baseUrl: string, payers: readonly Payer[], count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const payer = payers[index % payers.length];
    if (payer === undefined) throw new Error('somebody has to pay');
    const turn = Math.floor(index / payers.length);
    return signedPayout(baseUrl, payer, turn, randomUUID());
  });
}

/** The senders of a payer take turns. */
export function signedPayout(baseUrl: string, payer: Payer, turn: number, externalId: string): Buffer {
  const { key, secret, senders } = payer;
  const body = Buffer.from(JSON.stringify(payoutOf(senders[turn % senders.length] ?? '', externalId)));
  const nonce = randomUUID();
  const signature = signByFormula({ nonce, method: 'POST', url: `${baseUrl}${PATH}`, bytes: body, secret });
  const head = [
    `POST ${PATH} HTTP/1.1`,
    `host: ${new URL(baseUrl).host}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    `authorization-key: ${key}`,
    `authorization-nonce: ${nonce}`,
    `authorization-signature: ${signature}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** The sender is reused by its external id, as callers are asked to do. */
function payoutOf(sender: string, externalId: string) {
  const details = {
    first_name: 'Obi',
    last_name: 'Example',
    bank_account: '1234567890',
    bank_code: '058',
    bank_account_type: '20',
  };
  return {
    transaction: {
      external_id: externalId,
      input_currency: 'USD',
      sender: { external_id: sender },
      recipients: [
        {
          requested_amount: '1.00',
          requested_currency: 'USD',
          payout_method: { type: 'NGN::Bank', details },
        },
      ],
    },
  };
}
