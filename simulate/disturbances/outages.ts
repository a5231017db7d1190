/** Outages outside: a provider is down or silent for a time, a receiver refuses, keeps silent or loses its answers. */
import type { Chance } from '../chance.ts';
import type { ReceiverMood } from '../outside/receivers.ts';
import type { Happening } from '../stage.ts';

const MINUTE_MS = 60_000;
const LENGTHS_MS = [MINUTE_MS, 10 * MINUTE_MS, 90 * MINUTE_MS];
const MOODS: readonly ReceiverMood[] = ['refuses', 'silent', 'slow', 'loses answers'];

interface OutageShape {
  readonly providers: number;
  readonly receivers: number;
  readonly forMs: number;
}

export function drawOutages(chance: Chance, { providers, receivers, forMs }: OutageShape): Happening[] {
  return [
    ...Array.from({ length: providers }, (_, number) => providerOutage(chance.of(`provider ${number}`), forMs)),
    ...Array.from({ length: receivers }, (_, number) => receiverOutage(chance.of(`receiver ${number}`), forMs)),
  ];
}

function providerOutage(chance: Chance, forMs: number): Happening {
  const which = chance.below(1_000);
  const how = chance.pick(['isDown', 'isSilent'] as const);
  const lengthMs = chance.pick(LENGTHS_MS);
  return {
    label: `a provider ${how} for ${lengthMs / MINUTE_MS} minutes`,
    atMs: chance.below(forMs),
    start: ({ world }) => {
      const all = [...world.providers, ...world.payinProviders];
      const provider = all[which % all.length];
      if (!provider || provider.isHonest) return;
      provider[how] = true;
      world.trace.add(provider.name, `${how} for ${lengthMs / MINUTE_MS} minutes`);
      world.after(lengthMs, () => {
        provider[how] = false;
      });
    },
  };
}

function receiverOutage(chance: Chance, forMs: number): Happening {
  const which = chance.below(1_000);
  const mood = chance.pick(MOODS);
  const lengthMs = chance.pick(LENGTHS_MS);
  return {
    label: `receiver ${mood} for ${lengthMs / MINUTE_MS} minutes`,
    atMs: chance.below(forMs),
    start: ({ world }) => {
      const all = world.receivers.all();
      const receiver = all[which % all.length];
      if (!receiver || world.isComingToRest) return;
      receiver.mood = mood;
      world.trace.add('receiver', `${receiver.url} ${mood} for ${lengthMs / MINUTE_MS} minutes`);
      world.after(lengthMs, () => {
        receiver.mood = 'good';
      });
    },
  };
}
