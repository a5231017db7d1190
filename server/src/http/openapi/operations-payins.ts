/** What the routes of collections do, in words: rows of operations.ts. */

/** Of both kinds of callbacks. */
export const CALLBACK_FAILURES = {
  400: 'The adapter of the provider cannot read it.',
  401: 'It could not be proved who sent it.',
  404: 'No provider of this name takes callbacks.',
  503: 'Not recorded, as far as is known: tell it again.',
} as const;

export const PAYIN_OPERATIONS = {
  'GET /v1/payin_methods/:id': {
    tag: 'Payin methods',
    id: 'getPayinMethod',
    summary: 'Read a payin method',
    description: 'Where the payment of the payer stands, and what the payer needs in order to pay.',
  },
  'PATCH /v1/payin_methods/:id': {
    tag: 'Payin methods',
    id: 'updatePayinMethod',
    summary: 'Edit a payin method',
    description:
      'Other details, merged into those that are there. One that failed is tried again with them; one that is incomplete gets its one-time code as in_details.otp.',
  },
  'DELETE /v1/payin_methods/:id': {
    tag: 'Payin methods',
    id: 'cancelPayinMethod',
    summary: 'Cancel a payin method',
    description:
      'Takes the prompt back. While it is with the provider this may take a moment, and a payer who was quicker has paid.',
  },
  'POST /v1/payin_methods/:id/retry': {
    tag: 'Payin methods',
    id: 'retryPayinMethod',
    summary: 'Prompt the payer again',
    description: 'For a payin method that is in error, within the hour of its transaction.',
  },
  'POST /providers/:name/payin_callbacks': {
    tag: 'Providers',
    id: 'receivePayinCallback',
    summary: 'For payin providers: tell what payers have paid',
    description:
      'The same for those who collect. A payment is recorded once, by the reference that the provider gave it, however often it is told.',
    failures: CALLBACK_FAILURES,
  },
  'POST /v1/transactions/:id/payin': {
    tag: 'Sandbox',
    id: 'payinTransaction',
    summary: 'Let a payment come in',
    description:
      'A payer pays what a collection asks for, or the amount that is given. What comes too late goes to suspense, as in real life.',
  },
} as const;
