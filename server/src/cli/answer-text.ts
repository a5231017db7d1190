/** What an answer of the API that is no success says, as one line: the bodies are those of http/problem.ts. */
import type { HttpAnswer } from './http-call.ts';
import { at, type Json, listAt, objectAt, parseJson, textAt } from './json.ts';
import { shown } from './shown.ts';

export function answerText({ status, text }: HttpAnswer): string {
  const words = wordsIn(parseJson(text));
  return `the answer was ${status}${words === '' ? '' : `: ${words}`}`;
}

function wordsIn(body: Json): string {
  const error = textAt(body, 'error') || textAt(body, 'meta', 'error');
  if (error !== '') return error;
  const fields = Object.keys(objectAt(body, 'errors'));
  return shown(fields.map((field) => `${field} is ${codesAt(body, field)}`).join(', '));
}

function codesAt(body: Json, field: string): string {
  return listAt(body, 'errors', field)
    .map((one) => String(at(one, 'error')))
    .join(', ');
}
