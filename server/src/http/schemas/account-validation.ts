/** Account checks on the wire. Spec: endpoint 15. Open points OP-52, OP-53 and OP-54. */
import { Type } from 'typebox';
import { CHOICES } from '../../account-checks/request.ts';
import { Refused } from './refused.ts';

export const AccountValidationBody = Type.Object({
  country: Type.Enum([...CHOICES.country], { description: 'Where the account is held.' }),
  currency: Type.Enum([...CHOICES.currency], { description: 'In what it is held.' }),
  method: Type.Enum([...CHOICES.method], { description: 'Whether it is an account at a bank or of a phone.' }),
  bank_account: Type.Optional(Type.String({ description: 'Needed when the method is bank.' })),
  bank_code: Type.Optional(Type.String({ description: 'Needed when the method is bank.' })),
  iban: Type.Optional(Type.String({ description: 'No market is checked by it.' })),
  phone_number: Type.Optional(Type.String({ description: 'Needed when the method is mobile. E.164.' })),
  mobile_provider: Type.Optional(
    Type.String({ description: 'Needed when the method is mobile, but for Ghana. Which: the lists of each market.' }),
  ),
});

const finding = {
  account_name: Type.Optional(Type.String({ description: 'Who holds the account.' })),
  mapped_mobile_provider: Type.Optional(Type.String({ description: 'The operator that the phone number belongs to.' })),
  account_status: Type.Optional(Type.Enum(['active', 'inactive'])),
};

export const AccountValidation = Type.Object({ object: Type.Object(finding) });

const AccountInvalid = Type.Object({
  object: Type.Object(finding),
  meta: Type.Object({
    error: Type.String({
      description: 'For people. `Account validation failed`: nobody could tell; try again some minutes later.',
    }),
  }),
});

/** The account is bad, or nobody could tell, or the request itself was refused. */
export const AccountNotValidated = Type.Union([AccountInvalid, Refused]);
