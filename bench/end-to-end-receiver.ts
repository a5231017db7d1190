/**
 * The receiver of the end-to-end measurement: a process of its own that checks each webhook as customers do, by the
 * published module, and tells which payouts were told of and when, some of them at a time.
 */
import { createServer } from 'node:http';
import { verify } from '../server/src/receiver/webhooks.ts';

export type ReceiverMessage =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'came'; readonly externalIds: readonly string[]; readonly atMs: readonly number[] }
  /** Not signed rightly, or no event that was asked for. */
  | { readonly kind: 'wrong'; readonly body: string };

/** Secrets by key, as accounts are made. */
export type ReceiverOrder = Readonly<Record<string, string>>;

const TELL_EVERY_MS = 10;
const OUR_EVENT = '"event":"transaction.paid_out"';
const EXTERNAL_ID = /"object":\{.*?"external_id":"([^"]+)"/s;

const secrets = new Map<string, string>();
let externalIds: string[] = [];
let atMs: number[] = [];

function tell(message: ReceiverMessage): void {
  process.send?.(message);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const key = String(request.headers['authorization-key']);
    const isOurs = verify(url, body, request.headers, key, secrets.get(key) ?? 'unknown');
    const text = body.toString('utf8');
    const id = EXTERNAL_ID.exec(text)?.[1];
    if (!isOurs || id === undefined || !text.includes(OUR_EVENT)) {
      tell({ kind: 'wrong', body: text });
      response.writeHead(401).end();
      return;
    }
    externalIds.push(id);
    atMs.push(performance.timeOrigin + performance.now());
    response.writeHead(204).end();
  });
});
let url = '';
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hooks`;
  tell({ kind: 'listening', url });
});

setInterval(() => {
  if (externalIds.length === 0) return;
  tell({ kind: 'came', externalIds, atMs });
  [externalIds, atMs] = [[], []];
}, TELL_EVERY_MS);

process.on('message', (order: ReceiverOrder) => {
  for (const [key, secret] of Object.entries(order)) secrets.set(key, secret);
});

// Whoever asked for it is gone.
process.on('disconnect', () => process.exit());
