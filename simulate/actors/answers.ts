/** Reading answers of the service: text at a path, and what a status means for a caller. */
import type { HeardAnswer } from '../world.ts';

/** `at(body, 'object', 'id')`; undefined where there is nothing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (Object(inner) === inner ? Reflect.get(Object(inner), name) : undefined),
    value,
  );
}

export function textAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function listAt(value: unknown, ...path: (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Neither yes nor no: it may have happened. */
export function isUnknown(answer: HeardAnswer | undefined): boolean {
  return answer === undefined || answer.status === 503;
}

/** For the trace: the status, and the words of a refusal. */
export function shown(answer: HeardAnswer | undefined): string {
  if (answer === undefined) return 'no answer';
  const words = Object.entries(Object(at(answer.body, 'errors'))).map(([path, list]) => `${path} ${wordsIn(list)}`);
  return [answer.status, ...words].join(' ');
}

function wordsIn(list: unknown): string {
  return Array.isArray(list) ? list.map((each) => textAt(each, 'error') ?? '?').join(' ') : '?';
}
