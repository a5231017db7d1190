/** What is wrong with the form of an operator's request, in words: one line for each field. */
import { groupBy } from '../kernel/group-by.ts';
import { wordsOf } from './forms.ts';
import { READABLE } from './schemas.ts';

/** As the validator tells it. */
interface FormFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: '`true` or `false`',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'an object',
  null: '`null`',
};

/** What the field must be; undefined: the fault is not of that kind. */
function wanted({ keyword, params }: FormFault): string | undefined {
  switch (keyword) {
    case 'type':
      return TYPES[String(params['type'])];
    case 'enum':
      return `one of ${[params['allowedValues']].flat().join(', ')}`;
    case 'pattern':
      return wordsOf(String(params['pattern']));
    case 'minimum':
      return `${params['limit']} or more`;
    case 'maximum':
      return `${params['limit']} or less`;
    default:
      return undefined;
  }
}

/** Faults that need no "must be". */
function stated({ keyword, params, message }: FormFault): string {
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not a field of this request';
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${params['limit']} characters`;
    case 'minItems':
      return 'must have something in it';
    case 'maxItems':
      return `must have at most ${params['limit']} in it`;
    case 'minProperties':
      return 'the request says nothing';
    case 'anyOf':
      return 'the request fits none of its forms';
    case 'pattern':
      if (params['pattern'] === READABLE) return 'must have a visible character, and no control characters';
      return String(message);
    default:
      return String(message);
  }
}

/** `is`: what a field of a request must be; of a name in a path, what it is not. */
export function sayFormFaults(faults: readonly FormFault[], is: 'must be' | 'is not'): string[] {
  const byField = groupBy(ofMeantForm(faults), fieldOf);
  const fields = [...byField.keys()];
  return [...byField].flatMap(([field, of]) => {
    // It may be a list or nothing, and is a list: what is wrong is in it.
    if (fields.some((other) => field !== '' && other.startsWith(`${field}.`))) return [];
    return sayField(of, is).map((says) => (field === '' ? says : `${field}: ${says}`));
  });
}

const FAULTS_OF_NAMES = new Set(['required', 'additionalProperties', 'anyOf']);

/**
 * Where a request has several forms, a field whose value is wrong shows which is meant: what the others lack says
 * nothing.
 */
function ofMeantForm(faults: readonly FormFault[]): readonly FormFault[] {
  if (!faults.some(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === '')) return faults;
  const ofValues = faults.filter(({ keyword }) => !FAULTS_OF_NAMES.has(keyword));
  return ofValues.length === 0 ? faults : ofValues;
}

/** A field that may be one thing or another is wrong in several ways at once: they are told as one. */
function sayField(faults: readonly FormFault[], is: string): string[] {
  const forms = faults.flatMap((fault) => wanted(fault) ?? []);
  const others = faults.filter((fault) => wanted(fault) === undefined);
  const rest = others.filter(({ keyword }) => keyword !== 'anyOf' || forms.length + others.length === 1);
  return [...(forms.length === 0 ? [] : [`${is} ${[...new Set(forms)].join(' or ')}`]), ...new Set(rest.map(stated))];
}

function fieldOf({ keyword, instancePath, params }: FormFault): string {
  const name = keyword === 'required' ? params['missingProperty'] : params['additionalProperty'];
  return [...instancePath.split('/').filter(Boolean), ...(typeof name === 'string' ? [name] : [])].join('.');
}
