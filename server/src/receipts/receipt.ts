/** A receipt as words: what is drawn as a PDF and, in small, as a picture. Open point OP-156. */
import { createHash } from 'node:crypto';

export interface ReceiptRow {
  readonly label: string;
  readonly value: string;
}

export interface Receipt {
  readonly receiptId: string;
  readonly title: string;
  /** What the recipient got: drawn large. */
  readonly amount: string;
  readonly rows: readonly ReceiptRow[];
  /** Small sentences at the end. */
  readonly notes: readonly string[];
  /** When what it tells of happened: the time of the file, so that its bytes are always the same. */
  readonly at: Date;
}

const UUID_BYTES = 16;
const NAME = 'payferry receipt';

/** The receipt is no row, so its id follows from its recipient: a UUID of version 8, which is for ids of one's own. */
export function receiptIdOf({ accountId, recipientId }: { accountId: string; recipientId: string }): string {
  const bytes = createHash('sha256').update(`${NAME} ${accountId} ${recipientId}`).digest().subarray(0, UUID_BYTES);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
