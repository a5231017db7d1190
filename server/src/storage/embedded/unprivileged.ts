/**
 * PostgreSQL refuses to run as root. When we are root it runs as the user that owns its directory already, or as one
 * that every system has; when we are not, it runs as ourselves.
 */
import { chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, EmbeddedPostgresFault, messageOf, USE_ANOTHER_DATABASE } from './faults.ts';

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

const CANDIDATES = ['postgres', '_postgres', 'nobody', 'daemon'] as const;
/** Used in images that have no list of users at all: what `nobody` is nearly everywhere. */
const NOBODY: ServerUser = { uid: 65_534, gid: 65_534, name: 'nobody' };
/** A directory that was copied by root is given to the server's user file by file, up to this many. */
const OWNED_FILES_LIMIT = 1_000_000;

/** The user to run the server as; undefined: as ourselves. */
export async function chooseServerUser(pgData: string): Promise<ServerUser | undefined> {
  const ourUid = process.getuid?.();
  if (ourUid === undefined) return undefined;
  const owner = await stat(pgData).catch(() => undefined);
  if (ourUid !== 0) {
    if (owner === undefined || owner.uid === ourUid) return undefined;
    throw new EmbeddedPostgresFault(
      `${pgData} belongs to user ${owner.uid}, and this program runs as user ${ourUid}. ` +
        'Start it as that user or as root, or choose another --data directory.',
    );
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `uid ${owner.uid}` };
  return findUser(await readFile('/etc/passwd', 'utf8').catch(() => ''));
}

/** The first of the known names in the text of /etc/passwd. */
export function findUser(passwd: string): ServerUser {
  const users = passwd.split('\n').map((line) => line.split(':'));
  for (const wanted of CANDIDATES) {
    const [name, , uid, gid] = users.find(([name]) => name === wanted) ?? [];
    const user = { uid: Number(uid), gid: Number(gid), name: wanted };
    if (name !== undefined && isOrdinary(user.uid) && Number.isInteger(user.gid) && user.gid >= 0) return user;
  }
  return NOBODY;
}

function isOrdinary(uid: number): boolean {
  return Number.isInteger(uid) && uid > 0;
}

/** Gives one file or directory to the server's user. */
export async function giveTo(user: ServerUser | undefined, target: string): Promise<void> {
  if (user === undefined) return;
  await chown(target, user.uid, user.gid).catch((fault: unknown) => {
    throw new EmbeddedPostgresFault(
      `${target} cannot be given to ${user.name}, as whom PostgreSQL has to run because it refuses root ` +
        `(${messageOf(fault)}). Start as an ordinary user. ${USE_ANOTHER_DATABASE}`,
    );
  });
}

/** Gives a whole tree away when its top belongs to root. The top comes last, so that a broken-off run is repeated. */
export async function giveTreeTo(user: ServerUser | undefined, top: string): Promise<void> {
  if (user === undefined || (await stat(top)).uid === user.uid) return;
  const names = await readdir(top, { recursive: true });
  if (names.length > OWNED_FILES_LIMIT) {
    throw new EmbeddedPostgresFault(`${top} has too many files; run: chown -R ${user.uid}:${user.gid} ${top}`);
  }
  for (const name of names) {
    await lchown(path.join(top, name), user.uid, user.gid).catch((fault: unknown) => {
      if (codeOf(fault) !== 'ENOENT') throw fault;
    });
  }
  await giveTo(user, top);
}

/** Whether every directory above lets the user pass, judged by the permission bits. */
export async function canReach(user: ServerUser, target: string): Promise<boolean> {
  let place = path.dirname(path.resolve(target));
  for (;;) {
    const facts = await stat(place);
    const bits = facts.uid === user.uid ? facts.mode >> 6 : facts.gid === user.gid ? facts.mode >> 3 : facts.mode;
    if ((bits & 1) === 0) return false;
    const above = path.dirname(place);
    if (above === place) return true;
    place = above;
  }
}
