/** Senders for tests: requests that are valid as they stand, a stored one, and short ways to check them. */
import type { CheckedSender, SenderRules } from '../../server/src/senders/check.ts';
import { checkSender } from '../../server/src/senders/check.ts';
import type { Sender } from '../../server/src/senders/sender.ts';

export const NOW = new Date('2026-03-01T12:00:00.000Z');

export const PERSON = {
  type: 'person',
  first_name: 'Ada',
  last_name: 'Example',
  phone_country: 'GB',
  phone_number: '+447911123456',
  country: 'GB',
  city: 'London',
  street: '1 Long Road',
  postal_code: 'N1 1AA',
  address_description: '',
  birth_date: '1974-12-24',
  email: 'ada@example.com',
  documents: [],
  ip: '127.0.0.1',
  metadata: {},
};

export const BUSINESS = {
  type: 'business',
  name: 'Example Ltd',
  country: 'GB',
  trading_country: 'GB',
  city: 'London',
  street: '1 Long Road',
  postal_code: 'N1 1AA',
  email: 'office@example.com',
  documents: [],
  ip: '127.0.0.1',
  metadata: {},
};

/** A picture of the least size that passes for one. */
export const PNG = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`;

/** An approved person as it is stored; further details are added. */
export function storedSender(details: Readonly<Record<string, unknown>> = {}): Sender {
  const { type: _, documents: __, metadata: ___, ...person } = PERSON;
  return {
    accountId: '01900000-0000-7000-8000-000000000001',
    senderId: '01900000-0000-7000-8000-000000000002',
    externalId: 'c-1',
    type: 'person',
    state: 'approved',
    stateReason: null,
    disabledFrom: null,
    details: { ...person, ...details },
    metadata: { keep: true },
    documents: [],
    eventCount: 0,
    due: null,
    createdAt: NOW,
    updatedAt: NOW,
  };
}

const RULES: SenderRules = { kyc: 'waived', wtr2: false, now: NOW };

/** The sender that comes out of a check that must pass. */
export function checkedOf(input: unknown, rules: Partial<SenderRules> = {}): CheckedSender {
  const checked = checkSender(input, { ...RULES, ...rules });
  if (!checked.ok) throw new Error(`refused: ${JSON.stringify(checked.refusals)}`);
  return checked.value;
}

/** What a check refuses, as `path: word`. */
export function refusalsOf(input: unknown, rules: Partial<SenderRules> = {}): string[] {
  const checked = checkSender(input, { ...RULES, ...rules });
  return checked.ok ? [] : checked.refusals.map(({ code, path }) => `${path.join('.')}: ${code}`);
}
