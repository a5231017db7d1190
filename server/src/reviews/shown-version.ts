/**
 * Which version of a sender in review somebody looked at: a short text that changes with every edit, and with what the
 * lists say. Who approves it may name it, so that nobody is approved who was edited after the look. Open point OP-183.
 */
import { createHash } from 'node:crypto';
import type { Sender } from '../senders/sender.ts';
import { VERSION_CHARS } from '../transactions/held-version.ts';
import type { Review } from './review.ts';

export function versionOfSender(
  { type, details, documents }: Pick<Sender, 'type' | 'details' | 'documents'>,
  /** The open one. */
  review: Pick<Review, 'hits'> | undefined,
): string {
  const papers = documents.map(({ documentId }) => documentId);
  const shown = [type, details, papers, review?.hits ?? []];
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, VERSION_CHARS);
}
