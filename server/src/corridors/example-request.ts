/**
 * A whole request for each payout type: what a caller would send to calculate or create, with a sender who has what the
 * corridor asks for. For the docs, and to try every corridor through the API.
 */
import type { Details, PayoutCorridor, RecipientType, SenderRequirement } from './corridor.ts';
import { type ExampleOptions, exampleFor } from './example.ts';
import { EXAMPLE_PERSON } from './example-person.ts';
import { holds } from './rule.ts';

interface ExampleRequest {
  readonly transaction: {
    readonly input_currency: string;
    readonly sender: Details;
    readonly recipients: readonly {
      readonly type: RecipientType;
      readonly requested_amount: string;
      readonly requested_currency: string;
      readonly payout_method: { readonly type: string; readonly details: Details };
    }[];
  };
}

const INPUT_CURRENCY = 'USD';
/** For corridors that pay out in the usual input currency: the two must differ. */
const OTHER_INPUT_CURRENCY = 'EUR';
const AMOUNT = '100';

const SENDER: Details = { type: 'person', ...EXAMPLE_PERSON };

/** What some corridors ask for beside that. */
const FURTHER: Details = {
  identification_type: 'PP',
  identification_number: '123456789',
  source_of_funds: 'Salary',
  nationality: 'GB',
};

export function exampleRequest(
  corridor: PayoutCorridor,
  recipientType: RecipientType,
  options?: ExampleOptions,
): ExampleRequest {
  const details = exampleFor(corridor, recipientType, options);
  const currency = corridor.currency === INPUT_CURRENCY ? OTHER_INPUT_CURRENCY : INPUT_CURRENCY;
  const recipient = {
    type: recipientType,
    requested_amount: AMOUNT,
    requested_currency: currency,
    payout_method: { type: corridor.type, details },
  };
  const sender = { ...SENDER, ...furtherOf(corridor, recipientType, details) };
  return { transaction: { input_currency: currency, sender, recipients: [recipient] } };
}

function furtherOf(corridor: PayoutCorridor, recipientType: RecipientType, details: Details): Details {
  const scope = corridor.rules(recipientType).scopeOf(details);
  const asked = corridor.senderRequirements.filter(
    ({ field, senders, when, enforced }) =>
      enforced && senders !== 'business' && SENDER[field] === undefined && (when === undefined || holds(when, scope)),
  );
  return Object.fromEntries(asked.map((requirement) => [requirement.field, exampleValue(requirement)]));
}

function exampleValue({ field, options }: SenderRequirement): unknown {
  const usual = FURTHER[field] ?? 'Example';
  if (options === undefined || (typeof usual === 'string' && options.has(usual))) return usual;
  const [first] = options.keys();
  return first;
}
