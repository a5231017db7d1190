/** The tables of fields in docs/corridors.md: one row for each rule, whoever it is for. */
import type { Condition, Rule, RuleSet } from './corridor.ts';

/** Longer lists are cut after the first of them. */
const MAX_OPTIONS = 12;
const SHOWN_OPTIONS = 3;

interface Row {
  readonly rule: Rule;
  readonly of: readonly string[];
}

export function fieldTable(sets: readonly (readonly [string, RuleSet])[]): string[] {
  const rows = new Map<string, Row>();
  for (const [who, { rules }] of sets) {
    for (const rule of rules) {
      const key = `${rule.name} ${rule.when === undefined ? '' : whenText(rule.when)}`;
      rows.set(key, { rule, of: [...(rows.get(key)?.of ?? []), who] });
    }
  }
  const inChoice = new Set(
    sets.flatMap(([, { choices }]) => choices.flatMap(({ ways }) => ways.flatMap((way) => [...way.needs]))),
  );
  return [
    '| Field | For | Needed | Value |',
    '|---|---|---|---|',
    ...[...rows.values()].map(({ rule, of }) => {
      const who = of.length === sets.length ? 'all' : of.join(', ');
      return `| \`${rule.name}\` | ${who} | ${neededText(rule, inChoice)} | ${valueText(rule)} |`;
    }),
  ];
}

export function choiceLines({ choices }: RuleSet): string[] {
  return choices.map(({ choose, ways }) => {
    const written = ways.map(({ about, needs, mayHave }) => {
      const may = mayHave.length === 0 ? '' : `, and maybe ${codes(mayHave)}`;
      return `${about} (${codes(needs)}${may})`;
    });
    return `- ${choose === 'exactly_one' ? 'Exactly' : 'At least'} one of: ${written.join('; ')}.`;
  });
}

export function whenText(when: Condition): string {
  return [...when].map(([field, values]) => `\`${field}\` is ${values.join(' or ')}`).join(' and ');
}

/** A bar would end the cell, and an angle bracket would begin a tag. */
export function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function neededText({ name, required, when }: Rule, inChoice: ReadonlySet<string>): string {
  if (inChoice.has(name)) return 'by choice';
  const condition = when === undefined ? '' : `when ${whenText(when)}`;
  if (required) return condition === '' ? 'yes' : condition;
  return condition === '' ? '' : `optional ${condition}`;
}

function valueText({ options, pattern, format, default: usual, about }: Rule): string {
  const form = format === undefined ? pattern : undefined;
  const parts = [
    ...(options === undefined ? [] : [optionsText(options)]),
    ...(format === undefined ? [] : [`format ${format}`]),
    ...(form === undefined ? [] : [`\`${form}\``]),
    ...(usual === undefined ? [] : [`when missing: \`${usual}\``]),
    ...(about === undefined ? [] : [about]),
  ];
  return parts.length === 0 ? 'text' : escaped(parts.join('; '));
}

function optionsText(options: ReadonlyMap<string, string>): string {
  const written = [...options].map(([code, label]) => (code === label ? `\`${code}\`` : `\`${code}\` ${label}`));
  if (written.length <= MAX_OPTIONS) return written.join(', ');
  return `one of ${written.length}, such as ${written.slice(0, SHOWN_OPTIONS).join(', ')}`;
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
