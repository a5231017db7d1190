/**
 * What a reader has to know before the first call: told once, as the description of the document (Markdown) and at the
 * head of the reference page (HTML). Spec: Authentication, Errors.
 */

type GuidePart = { readonly text: string } | { readonly code: string };

export interface GuideChapter {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly GuidePart[];
}

export const SUMMARY = 'Moves money across borders: payouts, collections, quotes, balances and senders.';

const GUIDE: readonly GuideChapter[] = [
  {
    id: 'authentication',
    title: 'Authentication',
    parts: [
      {
        text: 'Every call carries three headers, once each: Authorization-Key with the API key, Authorization-Nonce with a text that this key never used before (a UUID is good), and Authorization-Signature.',
      },
      { text: 'The signature is the HMAC-SHA512 of one line under the API secret, in lower-case hex. The line is:' },
      { code: 'nonce & METHOD & full address & sha512(body)' },
      {
        text: 'without the spaces. The address is the one that is called, with scheme, host and query; the hash of the body is lower-case hex, of no bytes when there is no body. What comes with a GET counts too, and is not read. In JavaScript:',
      },
      {
        code: `const bodyHash = createHash('sha512').update(body).digest('hex');
const line = [nonce, method, url, bodyHash].join('&');
const signature = createHmac('sha512', secret).update(line).digest('hex');`,
      },
      {
        text: 'A nonce is used up by the answer, also by a refusal. The command line signs for you; in the sandbox it finds key and secret by itself:',
      },
      { code: 'payferry request GET /v1/accounts' },
    ],
  },
  {
    id: 'requests-and-answers',
    title: 'Requests and answers',
    parts: [
      {
        text: 'Bodies are JSON with the content type application/json. What is sent stands under the name of its kind, as in {"transaction": {...}}; what is answered stands under "object", and lists add "meta" with the page.',
      },
      {
        text: 'Amounts may be sent as decimal strings, which are read exactly, or as JSON numbers. Times are UTC with milliseconds. Fields that the service does not know are ignored, never refused.',
      },
      { text: 'Each answer has the header X-Request-Id: name it when you ask for help.' },
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    parts: [
      {
        text: '422 means that nothing was done: the object comes back with its errors and without the files in it, and all of them stand once more, by path, under "errors". Every other failure is {"status", "error"}, where the text is for people.',
      },
      {
        text: 'After a 503, a broken connection or a time-out of your own, it may not be known whether the call took effect. Look the object up by its external_id before you send it again.',
      },
    ],
  },
];

/** What only this installation knows. */
export interface GuideFacts {
  readonly webhookSourceAddresses: readonly string[];
}

export function guideOf({ webhookSourceAddresses }: GuideFacts): readonly GuideChapter[] {
  return [...GUIDE, webhookChapter(webhookSourceAddresses)];
}

// Open points OP-70 and OP-125.
function webhookChapter(addresses: readonly string[]): GuideChapter {
  const isStated = addresses.length > 0;
  const from = isStated
    ? 'Webhooks come from these addresses only. A list of allowed addresses is a second lock: it does not replace the signature.'
    : 'No source addresses are stated: webhooks may come from anywhere, so do not filter by address.';
  return {
    id: 'receiving-webhooks',
    title: 'Receiving webhooks',
    parts: [
      {
        text: 'Webhooks carry the same three headers as calls, signed with your own key and secret: the method is POST, the address the one you registered, complete and with its query, and the body the bytes as they came. Check the signature before you read the body; the module payferry/webhooks does it for Node.',
      },
      { text: from },
      ...(isStated ? [{ code: addresses.join('\n') }] : []),
    ],
  };
}

export function guideAsMarkdown(guide: readonly GuideChapter[]): string {
  return guide.map(({ title, parts }) => [`## ${title}`, ...parts.map(partAsMarkdown)].join('\n\n')).join('\n\n');
}

function partAsMarkdown(part: GuidePart): string {
  return 'code' in part ? `\`\`\`\n${part.code}\n\`\`\`` : part.text;
}
