/**
 * Hands files over to a process of another user that could not reach them by name: a data directory inside the
 * private home of root, for example. We open each one and let the process inherit it; /proc/self/fd/N then leads
 * there without asking for permission on the directories above. The files themselves belong to that user, and no
 * permission of anything above is loosened. Where the names can be reached they are passed as they are.
 */
import { close, open } from 'node:fs';
import { promisify } from 'node:util';
import { EmbeddedPostgresFault, USE_ANOTHER_DATABASE } from './faults.ts';
import { canReach, type ServerUser } from './unprivileged.ts';

interface Handover {
  /** How the process itself names the file. */
  nameOf(target: string): string;
  /** To be inherited after standard input, output and error. */
  readonly descriptors: readonly number[];
  close(): Promise<void>;
}

const FIRST_DESCRIPTOR = 3;

export async function handOver(user: ServerUser | undefined, targets: readonly string[]): Promise<Handover> {
  if (user === undefined || (await allReachable(user, targets))) {
    return { nameOf: (target) => target, descriptors: [], close: async () => undefined };
  }
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresFault(
      `The user ${user.name}, as whom PostgreSQL has to run because it refuses root, cannot reach ${targets[0]}. ` +
        `Choose a --data directory outside of a private home, or start as an ordinary user. ${USE_ANOTHER_DATABASE}`,
    );
  }
  const descriptors = await Promise.all(targets.map((target) => promisify(open)(target, 'r')));
  return {
    nameOf(target) {
      const index = targets.indexOf(target);
      return index === -1 ? target : `/proc/self/fd/${FIRST_DESCRIPTOR + index}`;
    },
    descriptors,
    async close() {
      await Promise.all(descriptors.map((descriptor) => promisify(close)(descriptor)));
    },
  };
}

async function allReachable(user: ServerUser, targets: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(targets.map((target) => canReach(user, target)));
  return answers.every((reachable) => reachable);
}
