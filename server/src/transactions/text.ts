/**
 * A transaction as JSON text. It is shown several times over: in the events of its creation and funding, in the answer,
 * in the API log. A transaction as it was at one moment never changes, so its text is made once. The descriptors of its
 * payout methods, the same few again and again and as long as the rest, are put in as text where somebody wants them.
 */
import type { Catalogue } from '../corridors/catalogue.ts';
import type { FieldDescriptors } from '../corridors/descriptor.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { type ParentView, viewRecipient } from '../recipients/view.ts';
import type { Sender } from '../senders/sender.ts';
import { viewSender } from '../senders/view.ts';
import type { WholeTransaction } from './transaction.ts';
import { fieldsOf, viewHead } from './view.ts';

interface Parts {
  /** Everything but the recipients, without the closing brace; the sender last. */
  readonly head: string;
  readonly recipients: readonly { readonly recipient: Recipient; readonly text: string }[];
}

/** Without descriptors, as stored events have it (transactions/events.ts). */
export function textWithoutFields(transaction: WholeTransaction): string {
  return textWith(transaction, ({ text }) => text);
}

/** As viewTransaction shows it. */
export function textOf(transaction: WholeTransaction, catalogue: Catalogue): string {
  return textWith(transaction, ({ recipient, text }) => withFields(text, descriptorText(recipient, catalogue)));
}

/** The same for a log: in the place of each descriptor stands how long it is. */
export function shortTextOf(transaction: WholeTransaction, catalogue: Catalogue): string {
  return textWith(transaction, ({ recipient, text }) =>
    withFields(text, `"[${descriptorText(recipient, catalogue).length} characters left out]"`),
  );
}

function textWith(transaction: WholeTransaction, show: (part: Parts['recipients'][number]) => string): string {
  const { head, recipients } = partsOf(transaction);
  return `${head},"recipients":[${recipients.map(show).join(',')}]}`;
}

/** The end of a recipient's text: of the payout method, and of the recipient. */
const END = '}}';

function withFields(recipientText: string, fields: string): string {
  return `${recipientText.slice(0, -END.length)},"fields":${fields}${END}`;
}

const known = new WeakMap<WholeTransaction, Parts>();

function partsOf(transaction: WholeTransaction): Parts {
  const made = known.get(transaction);
  if (made !== undefined) return made;
  const parts = {
    head: `${JSON.stringify(viewHead(transaction)).slice(0, -1)},"sender":${senderText(transaction.sender)}`,
    recipients: transaction.recipients.map((recipient) => ({
      recipient,
      text: recipientText(recipient, transaction),
    })),
  };
  known.set(transaction, parts);
  return parts;
}

const recipientTexts = new WeakMap<Recipient, readonly [before: string, after: string]>();
const PARENT_STATE = ',"transaction_state":';

/** While a transaction moves on, its recipient often stays as it is, and shows nothing else of it than its state. */
function recipientText(recipient: Recipient, parent: ParentView): string {
  const made = recipientTexts.get(recipient);
  const shownState = JSON.stringify(parent.state);
  if (made !== undefined) return `${made[0]}${shownState}${made[1]}`;
  const text = JSON.stringify(viewRecipient(recipient, parent));
  // In front of it stand ids alone, and inside of a text its quotes would be escaped.
  const stateAt = text.indexOf(PARENT_STATE) + PARENT_STATE.length;
  recipientTexts.set(recipient, [text.slice(0, stateAt), text.slice(stateAt + shownState.length)]);
  return text;
}

const senderTexts = new WeakMap<Sender, string>();

/** One for all transactions of the sender in a batch. */
function senderText(sender: Sender): string {
  const made = senderTexts.get(sender);
  if (made !== undefined) return made;
  const text = JSON.stringify(viewSender(sender));
  senderTexts.set(sender, text);
  return text;
}

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
