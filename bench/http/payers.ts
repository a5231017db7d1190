/** Accounts that pay, made through the program's own interfaces: the account by an operator, its senders by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readOperatorAccess } from '../../server/src/operator/local-files.ts';
import { ADA } from '../../test/support/payout.ts';
import { signedCaller } from '../../test/support/signed-caller.ts';
import type { ApiProcess } from './api-process.ts';
import type { Payer } from './requests.ts';

const SENDERS_EACH = 8;
const LOOK_EVERY_MS = 50;
const MAX_LOOKS = 200;

/** Where calls are taken, and the directory with the token of the operator. */
type PayersAt = Pick<ApiProcess, 'url' | 'dataDir'>;

export async function makePayers(api: PayersAt, count: number): Promise<Payer[]> {
  const payers: Payer[] = [];
  while (payers.length < count) payers.push(await makePayer(api, payers.length));
  return payers;
}

async function makePayer(api: PayersAt, index: number): Promise<Payer> {
  const access = await operatorAccess(api.dataDir);
  const answer = await fetch(`${access.url}/operator/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Payer ${index}` }),
  });
  const made: { key: { key: string }; secret: string } = JSON.parse(await answer.text());
  const payer = { key: made.key.key, secret: made.secret };
  const senders = Array.from({ length: SENDERS_EACH }, (_, place) => `sender-${place}`);
  const caller = signedCaller({ baseUrl: api.url, ...payer });
  const answers = await Promise.all(
    senders.map((externalId) => caller.post('/v1/senders', { sender: { ...ADA, external_id: externalId } })),
  );
  caller.close();
  const refused = answers.find(({ status }) => status !== 200);
  if (refused !== undefined) throw new Error(`a sender was answered with ${refused.text}`);
  return { ...payer, senders };
}

/** The file is written last of all that a start writes. */
async function operatorAccess(dataDir: string): Promise<{ url: string; token: string }> {
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const access = await readOperatorAccess(dataDir);
    if (access !== undefined) return access;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error('the program wrote no access for its operator');
}
