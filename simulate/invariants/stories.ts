/**
 * The events of payin methods and senders tell what happened, in its order: numbered without a gap, each shows the
 * state that its name says, each state can follow the one before, and the last one is the state that the object is in.
 */
import { groupBy } from '../../server/src/kernel/group-by.ts';
import { PAYIN_MOVE_EVENTS } from '../../server/src/payins/events.ts';
import { payinMethodTable } from '../../server/src/payins/states.ts';
import { type Invariant, type Row, rowsOf } from './invariant.ts';

const EVENTS = `
  select e.event, e.object_id, e.sequence, e.object::json ->> 'state' as state from events e
  where e.object_type in ('payin_method', 'sender')
  order by e.object_id, e.sequence`;

const OBJECTS = `
  select m.payin_method_id as id, 'payin method' as kind, m.state, m.event_count from payin_methods m
  union all
  select s.sender_id, 'sender', s.state, s.event_count from senders s`;

/** States that are entered without an event. */
const SILENT = ['initial', 'verified', 'disabled'];

/** The states that an event may show. */
const SHOWN = new Map<string, string[]>([
  ['sender.approved', ['approved']],
  ['sender.rejected', ['rejected', 'banned']],
]);
for (const { move, to } of payinMethodTable.steps) {
  const event = PAYIN_MOVE_EVENTS[move];
  if (event !== null) SHOWN.set(event, [...(SHOWN.get(event) ?? []), to]);
}

function wrongWith({ id, kind, state, event_count: count }: Row, events: readonly Row[]): string[] {
  const wrong: string[] = [];
  const isWhole = events.length === count && events.every((event, place) => event['sequence'] === place + 1);
  if (!isWhole) wrong.push(`counts ${count} events and has ${events.map((event) => event['sequence'])}`);
  let before = 'initial';
  for (const { event, state: shown } of events) {
    if (!SHOWN.get(String(event))?.includes(String(shown))) wrong.push(`${event} shows ${shown}`);
    if (kind === 'payin method' && !canFollow(before, String(shown))) wrong.push(`${shown} came after ${before}`);
    before = String(shown);
  }
  // A sender whose check is waived is approved from the start, and nothing is told.
  const isWaived = kind === 'sender' && events.length === 0 && state === 'approved';
  if (!SILENT.includes(String(state)) && before !== state && !isWaived)
    wrong.push(`is ${state}, and was told ${before}`);
  return wrong.map((what) => `${kind} ${id} ${what}`);
}

/** At once, by being tried again in between, or asked for the code once more. */
function canFollow(from: string, to: string): boolean {
  const next = (state: string) => payinMethodTable.steps.filter((step) => step.from === state).map((step) => step.to);
  if (next(from).some((state) => state === to) || (from === 'incomplete' && to === 'incomplete')) return true;
  return next(from).some((state) => state === 'initial') && next('initial').some((state) => state === to);
}

export const stories: Invariant = {
  name: 'events tell what happened',
  often: ({ world }) => {
    const events = groupBy(rowsOf(world, EVENTS), (row) => String(row['object_id']));
    return rowsOf(world, OBJECTS).flatMap((row) => wrongWith(row, events.get(String(row['id'])) ?? []));
  },
};
