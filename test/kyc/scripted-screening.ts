/** Sanction lists that a test writes itself: whoever bears a name of an entry is hit by it. */
import type { Hit, ScreenedSubject, SenderScreening } from '../../server/src/screening/sender-screening.ts';

export interface Entry {
  readonly entryId: string;
  readonly name: string;
  readonly score?: number;
  readonly strength?: number;
}

export interface ScriptedScreening extends SenderScreening {
  /** Everybody who was looked for, in order. */
  readonly asked: ScreenedSubject[];
  load(version: string, entries: readonly Entry[]): void;
  /** Whoever bears this name makes it break. */
  breakOn(name: string | undefined): void;
}

export const LIST = 'secret-list';

export function scriptedScreening(): ScriptedScreening {
  const asked: ScreenedSubject[] = [];
  let loaded: { version: string; entries: readonly Entry[] } = { version: 'v1', entries: [] };
  let broken: string | undefined;
  return {
    asked,
    version: () => loaded.version,
    load: (version, entries) => {
      loaded = { version, entries };
    },
    breakOn: (name) => {
      broken = name;
    },
    screen: (subject) => {
      asked.push(subject);
      if (broken !== undefined && subject.names.includes(broken)) throw new Error('a broken matcher');
      return loaded.entries.flatMap(({ entryId, name, score = 0.95, strength = score }): Hit[] => {
        const matchedName = subject.names.find((each) => each === name);
        if (matchedName === undefined) return [];
        return [{ list: LIST, entryId, name, matchedName, score, strength, explanation: ['the same name'] }];
      });
    },
  };
}
