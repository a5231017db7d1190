/** Which objects have other details than is known of them. */
import type { Details } from '../known-details.ts';
import type { World } from '../world.ts';
import { rowsOf } from './invariant.ts';

const STORED = {
  recipient: 'select r.recipient_id as id, r.payout_details as details from recipients r',
  'payin method': 'select m.payin_method_id as id, m.in_details as details from payin_methods m',
  sender: 'select s.sender_id as id, s.details from senders s',
} as const;

/** `sender 0190…: first_name is "Ada", not "Adah"`. */
export function otherDetails(world: World, of: keyof typeof STORED, known: readonly [string, Details][]): string[] {
  if (known.length === 0) return [];
  const stored = new Map(rowsOf(world, STORED[of]).map((row) => [String(row['id']), Object(row['details'])]));
  return known.flatMap(([id, details]) =>
    Object.entries(details)
      .filter(([name, value]) => stored.get(id)?.[name] !== value)
      .map(
        ([name, value]) =>
          `${of} ${id}: ${name} is ${JSON.stringify(stored.get(id)?.[name])}, not ${JSON.stringify(value)}`,
      ),
  );
}
