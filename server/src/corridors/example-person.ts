/** A person who may send through most corridors: the one of all examples, in the document, the guides and the tests. */
export const EXAMPLE_PERSON = {
  first_name: 'Ada',
  last_name: 'Example',
  country: 'GB',
  phone_number: '+447911123456',
  email: 'ada@example.com',
  street: '1 High Street',
  city: 'London',
  postal_code: 'N1 1AA',
  birth_date: '1990-05-17',
  documents: [],
  ip: '127.0.0.1',
  metadata: {},
} as const;
