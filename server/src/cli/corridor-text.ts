/** What `payferry corridor` says of the amounts and the fields of a type. */
import { at, type Json, listAt, objectAt, textAt } from './json.ts';
import { type Column, formatTable } from './table.ts';

interface Field {
  readonly name: string;
  readonly described: Json;
  readonly variant: Json;
}

const FIELD_COLUMNS: readonly Column<Field>[] = [
  { title: 'Field', cell: ({ name }) => name },
  { title: 'Needed', cell: neededText },
  { title: 'Values', cell: ({ described }) => valuesOf(described) },
];
/** As many as fit a line; --json shows all. */
const MAX_SHOWN_VALUES = 6;

/** What a recipient may receive; nothing where the settings bound it in no way. */
export function amountsText(corridor: Json): string {
  const [least, largest] = [textAt(corridor, 'minimum_amount'), textAt(corridor, 'maximum_amount')];
  const bounds = [...(least === '' ? [] : [`from ${least}`]), ...(largest === '' ? [] : [`to ${largest}`])];
  return bounds.length === 0 ? '' : `${bounds.join(' ')} ${textAt(corridor, 'currency')}`;
}

/** The fields of one type of recipient, or of the payer. */
export function variantText(variant: Json): string {
  const title = textAt(variant, 'recipient') === '' ? 'Payer' : `Recipient: ${textAt(variant, 'recipient')}`;
  const fields = Object.entries(objectAt(variant, 'fields')).map(([name, described]) => ({ name, described, variant }));
  const choices = listAt(variant, 'choices').map(choiceText);
  const example = `Example: ${JSON.stringify(at(variant, 'example'))}`;
  return [title, formatTable(FIELD_COLUMNS, fields), ...choices, example].join('\n');
}

function neededText({ name, described, variant }: Field): string {
  if (listAt(variant, 'choices').some((choice) => namesIn(choice).includes(name))) return 'by choice';
  if (at(described, 'validations', 'presence') === true) return 'yes';
  // Of several conditions for one field no two hold at once.
  const conditions = listAt(variant, 'conditions').filter((condition) => textAt(condition, 'field') === name);
  return conditions
    .map(
      (condition) => `${at(condition, 'required') === true ? '' : 'optional '}when ${whenText(at(condition, 'when'))}`,
    )
    .join('; ');
}

function whenText(when: Json): string {
  return Object.keys(objectAt(when))
    .map((field) => `${field} is ${listAt(when, field).join(' or ')}`)
    .join(' and ');
}

function namesIn(choice: Json): Json[] {
  return listAt(choice, 'ways').flatMap((way) => [...listAt(way, 'needs'), ...listAt(way, 'may_have')]);
}

function choiceText(choice: Json): string {
  const ways = listAt(choice, 'ways').map((way) => {
    const mayHave = textAt(way, 'may_have');
    return `${textAt(way, 'about')} (${textAt(way, 'needs')}${mayHave === '' ? '' : `, and maybe ${mayHave}`})`;
  });
  return `${textAt(choice, 'choose') === 'exactly_one' ? 'Exactly' : 'At least'} one of: ${ways.join('; ')}`;
}

function valuesOf(described: Json): string {
  const options = Object.keys(objectAt(described, 'options'));
  const more = options.length > MAX_SHOWN_VALUES ? `, ... (${options.length})` : '';
  return `${options.slice(0, MAX_SHOWN_VALUES).join(', ')}${more}`;
}

const SENDER_COLUMNS: readonly Column<Json>[] = [
  { title: 'Asked of the sender', cell: (asked) => textAt(asked, 'field') },
  { title: 'Senders', cell: (asked) => textAt(asked, 'senders') },
  { title: 'Enforced', cell: (asked) => (at(asked, 'enforced') === true ? 'yes' : 'no') },
  { title: 'When', cell: (asked) => whenText(at(asked, 'when')) },
];

/** What a payout of the type needs to know of its sender; nothing where it asks for nothing. */
export function senderText(corridor: Json): string[] {
  const asked = listAt(corridor, 'sender');
  return asked.length === 0 ? [] : [formatTable(SENDER_COLUMNS, asked)];
}
