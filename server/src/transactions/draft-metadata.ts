/** The caller's free storage, wherever it may stand in a transaction. Left out, it is empty. */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { checkMetadata } from '../kernel/storable.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function draftMetadata(value: unknown, refusals: Refusal[], ...path: string[]): JsonObject {
  if (value === undefined || value === null) return {};
  const checked = checkMetadata(value);
  if (checked.ok) return checked.value;
  refusals.push(...checked.refusals.map((refusal) => refuse(refusal.code, ...path)));
  return {};
}
