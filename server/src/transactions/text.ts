/**
 * A transaction as JSON text. It is shown several times over: in the events of its creation and funding, in the answer,
 * in the API log. What it was at one moment never changes, so its text is written once and handed on with it. It is not
 * kept for it in a `WeakMap`: that would hold every text until the next full collection, and the collections of young
 * objects would carry them through. The descriptors of its payout methods, the same few again and again and as long as
 * the rest, are put in as text where somebody wants them.
 */
import type { Catalogue } from '../corridors/catalogue.ts';
import type { FieldDescriptors } from '../corridors/descriptor.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { type ParentView, viewRecipient } from '../recipients/view.ts';
import { viewSender } from '../senders/view.ts';
import type { WholeTransaction } from './transaction.ts';
import { fieldsOf, viewHead } from './view.ts';

/** What a transaction was at one moment, in the parts that its texts are made of. */
export interface TransactionText {
  readonly transaction: WholeTransaction;
  /** Everything but sender and recipients, without the closing brace. */
  readonly head: string;
  readonly sender: string;
  readonly recipients: readonly RecipientText[];
}

interface RecipientText {
  readonly recipient: Recipient;
  /** In front of the state of its transaction, and behind it. */
  readonly before: string;
  readonly after: string;
}

/** `earlier`: of the same transaction before it moved on. What has not changed since is taken from there. */
export function writeTransaction(transaction: WholeTransaction, earlier?: TransactionText): TransactionText {
  const { sender, recipients } = transaction;
  return {
    transaction,
    head: JSON.stringify(viewHead(transaction)).slice(0, -1),
    sender: earlier?.transaction.sender === sender ? earlier.sender : JSON.stringify(viewSender(sender)),
    recipients: recipients.map((recipient, place) => {
      const written = earlier?.recipients[place];
      return written?.recipient === recipient ? written : writeRecipient(recipient, transaction);
    }),
  };
}

const PARENT_STATE = ',"transaction_state":';

/** While a transaction moves on, its recipient often stays as it is, and shows nothing else of it than its state. */
function writeRecipient(recipient: Recipient, parent: ParentView): RecipientText {
  const text = JSON.stringify(viewRecipient(recipient, parent));
  // In front of it stand ids alone, and inside of a text its quotes would be escaped.
  const stateAt = text.indexOf(PARENT_STATE) + PARENT_STATE.length;
  const after = stateAt + JSON.stringify(parent.state).length;
  return { recipient, before: text.slice(0, stateAt), after: text.slice(after) };
}

/** Without descriptors, as stored events have it (transactions/events.ts). */
export function textWithoutFields(written: TransactionText): string {
  return textWith(written, ({ after }) => after);
}

/** As viewTransaction shows it. */
export function textOf(written: TransactionText, catalogue: Catalogue): string {
  return textWith(written, ({ recipient, after }) => withFields(after, descriptorText(recipient, catalogue)));
}

/** The same for a log: in the place of each descriptor stands how long it is. */
export function shortTextOf(written: TransactionText, catalogue: Catalogue): string {
  return textWith(written, ({ recipient, after }) =>
    withFields(after, `"[${descriptorText(recipient, catalogue).length} characters left out]"`),
  );
}

function textWith(
  { transaction, head, sender, recipients }: TransactionText,
  endOf: (recipient: RecipientText) => string,
): string {
  const state = JSON.stringify(transaction.state);
  const texts = recipients.map((recipient) => `${recipient.before}${state}${endOf(recipient)}`);
  return `${head},"sender":${sender},"recipients":[${texts.join(',')}]}`;
}

/** The end of a recipient's text: of the payout method, and of the recipient. */
const END = '}}';

function withFields(recipientText: string, fields: string): string {
  return `${recipientText.slice(0, -END.length)},"fields":${fields}${END}`;
}

/** Of the catalogue's own: the same few for as long as the program runs. */
const descriptorTexts = new WeakMap<FieldDescriptors, string>();

/** Descriptors are built once by the catalogue and frozen. */
function descriptorText(recipient: Recipient, catalogue: Catalogue): string {
  const fields = fieldsOf(recipient, catalogue);
  const made = descriptorTexts.get(fields);
  if (made !== undefined) return made;
  const text = JSON.stringify(fields);
  descriptorTexts.set(fields, text);
  return text;
}
