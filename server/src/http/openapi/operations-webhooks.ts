/** What the routes of webhooks and of logs do, in words: rows of operations.ts. */

export const WEBHOOK_OPERATIONS = {
  'GET /v1/webhooks': {
    tag: 'Webhooks',
    id: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Newest first, in pages. One that was disabled is listed with the reason until it is deleted.',
  },
  'POST /v1/webhooks': {
    tag: 'Webhooks',
    id: 'createWebhook',
    summary: 'Register a webhook',
    description:
      'Events that happen from now on are sent to the address, signed with the key that makes this call. There is no edit: delete it and register another one.',
  },
  'GET /v1/webhooks/events': {
    tag: 'Webhooks',
    id: 'listWebhookEvents',
    summary: 'List event names',
    description: 'Every name that a webhook can ask for.',
  },
  'GET /v1/webhooks/:id': {
    tag: 'Webhooks',
    id: 'readWebhook',
    summary: 'Read a webhook',
    description: 'Where it leads, what it asked for, and whether it is enabled.',
  },
  'DELETE /v1/webhooks/:id': {
    tag: 'Webhooks',
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent there, and what was waiting is dropped. Its logs can still be read.',
  },
  'GET /v1/api_logs': {
    tag: 'Logs',
    id: 'listApiLogs',
    summary: 'List calls',
    description:
      'The own calls of the last days, newest first, with bodies up to a bound and without signatures and files.',
  },
  'GET /v1/api_logs/:id': {
    tag: 'Logs',
    id: 'readApiLog',
    summary: 'Read a call',
    description: 'One call and its answer. A call can be read a moment after it was answered.',
  },
  'POST /sandbox/webhooks/redeliver': {
    tag: 'Webhooks',
    id: 'redeliverEvents',
    summary: 'Send events again (sandbox)',
    description:
      'Sends one event again, or all that were dropped in a time range. Only in the sandbox; operators can do it anywhere.',
  },
  'POST /sandbox/webhooks/:id/test': {
    tag: 'Webhooks',
    id: 'testWebhook',
    summary: 'Test a webhook (sandbox)',
    description:
      'Sends one signed request with the event webhook.test, which is none of the interface, and tells what came of it. Only in the sandbox; operators can do it anywhere.',
  },
  'GET /v1/logs/webhooks': {
    tag: 'Logs',
    id: 'listWebhookLogs',
    summary: 'List attempts to deliver',
    description: 'What was sent to the webhooks and what they answered, one row for each attempt, newest first.',
  },
  'GET /v1/logs/:id': {
    tag: 'Logs',
    id: 'readWebhookLog',
    summary: 'Read an attempt to deliver',
    description: 'One request to a webhook and its answer.',
  },
} as const;
