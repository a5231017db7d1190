/** Writes docs/corridors.md from the catalogue. A test compares it with the file and sends its examples to the API. */
import type { Catalogue } from './catalogue.ts';
import type { PayinCorridor, PayoutCorridor, RuleSet } from './corridor.ts';
import { BALANCE_TYPE } from './corridor-type.ts';
import { payinExampleFor } from './example.ts';
import { exampleRequest } from './example-request.ts';
import { choiceLines, escaped, fieldTable, whenText } from './page-fields.ts';

const INTRODUCTION = `<!-- Generated from server/corridors by \`npm run docs\`. Do not edit. -->

# Corridors

Every payout and payin type, from the files in \`server/corridors\`. The tables say what validates; the \`fields\`
descriptor of the API tells the same with all allowed values. Each example of a payout is a whole body of
\`POST /v1/transactions/calculate\`; a test sends every one of them.

A field that is needed only under a condition names it. Long lists are cut: \`payferry corridor show TYPE --json\` has
all values. Formats, and how to add a type: [add-a-corridor.md](add-a-corridor.md).
`;

export function corridorsPage(catalogue: Catalogue): string {
  const payouts = catalogue.payouts().filter(({ kind }) => kind !== 'balance');
  const [balance] = catalogue.payouts().filter(({ kind }) => kind === 'balance');
  return [
    INTRODUCTION,
    '## Payouts\n',
    ...payouts.map(payoutSection),
    ...(balance ? [balanceSection(balance)] : []),
    '## Payins\n',
    'The details go into `in_details` of a payin method.\n',
    ...catalogue.payins().map(payinSection),
  ].join('\n');
}

function payoutSection(corridor: PayoutCorridor): string {
  const sets = corridor.recipientTypes.map((type) => [type, corridor.rules(type)] as const);
  const examples = corridor.recipientTypes.map((type) => jsonBlock(exampleRequest(corridor, type)));
  return section(corridor.type, [
    ...factLines(corridor),
    `- Recipients: ${corridor.recipientTypes.join(', ')}.`,
    ...senderLines(corridor),
    ...(corridor.wtr2Allowed ? [] : ['- WTR2: a sender with reduced details is refused.']),
    ...checkLines(corridor),
    ...tail(corridor, sets, examples),
  ]);
}

function balanceSection(corridor: PayoutCorridor): string {
  const details = { reference: 'Invoice 4711' };
  return section(BALANCE_TYPE, [
    ...factLines(corridor),
    ...tail(corridor, [['person', corridor.rules('person')]], [jsonBlock({ type: corridor.type, details })]),
  ]);
}

function payinSection(corridor: PayinCorridor): string {
  const flows = corridor.uxFlows.map((flow) => `\`${flow}\``).join(', ');
  const example = jsonBlock({ type: corridor.type, in_details: payinExampleFor(corridor) });
  return section(`${corridor.type} (payin)`, [
    ...factLines(corridor),
    `- Flows: ${flows}.${corridor.allowsAnotherAmount ? ' The payer may send another amount.' : ''}`,
    ...tail(corridor, [['payer', corridor.rules()]], [example]),
  ]);
}

function section(title: string, lines: readonly string[]): string {
  return [`### ${escaped(title)}`, '', ...lines, ''].join('\n');
}

function factLines({ countries, facts }: PayoutCorridor | PayinCorridor): string[] {
  return [
    facts.about,
    '',
    `- File: \`server/corridors/${facts.file}\`; source ${facts.source}, as of ${facts.factsAsOf}, ${facts.published}.`,
    ...(countries.length > 0 ? [`- Countries: ${countries.join(', ')}.`] : []),
  ];
}

function senderLines({ senderRequirements, senderTypes, recipientTypes }: PayoutCorridor): string[] {
  const asked = senderRequirements.map(({ field, senders, when, enforced }) => {
    const notes = [
      ...(senders === 'any' ? [] : [`${senders} senders`]),
      ...(when === undefined ? [] : [`when ${whenText(when)}`]),
      ...(enforced ? [] : ['announced, not asked for yet']),
    ];
    return notes.length === 0 ? `\`${field}\`` : `\`${field}\` (${notes.join(', ')})`;
  });
  const limited = recipientTypes.filter((type) => senderTypes[type].length === 1);
  return [
    ...(asked.length > 0 ? [`- Asked of the sender: ${asked.join(', ')}.`] : []),
    ...limited.map((type) => `- A ${type} is paid by a ${senderTypes[type].join()} only.`),
  ];
}

function checkLines({ checks }: PayoutCorridor): string[] {
  return checks.map(({ kind, countries, mobileProviders, where }) => {
    const of = mobileProviders === undefined ? '' : `, ${mobileProviders.join(', ')}`;
    return `- Account check: ${kind} (${countries.join(', ')}${of}), at the ${where.join(' and the ')}.`;
  });
}

function tail(
  { facts }: PayoutCorridor | PayinCorridor,
  sets: readonly (readonly [string, RuleSet])[],
  examples: readonly string[],
): string[] {
  const [first] = sets;
  return [
    ...facts.notes.map((note) => `- Note: ${escaped(note)}${/[.!?]$/.test(note) ? '' : '.'}`),
    ...(first === undefined ? [] : choiceLines(first[1])),
    '',
    ...fieldTable(sets),
    '',
    ...examples,
  ];
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
