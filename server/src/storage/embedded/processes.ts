/**
 * Questions about processes that the operating system answers: does this one live, is it still the same one, does it
 * work in that directory. Linux answers from /proc; elsewhere `ps` tells the start time and the rest stays unknown.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from './faults.ts';

const PS_LIMIT_MS = 2_000;
const onLinux = process.platform === 'linux';

/** True for a running process. One that has ended and only waits to be collected by its parent counts as gone. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (fault) {
    return codeOf(fault) === 'EPERM';
  }
  if (!onLinux) return true;
  const fields = await statFields(pid);
  const state = fields?.[0];
  return fields === undefined || (state !== 'Z' && state !== 'X');
}

/**
 * When the process started, in a form that is only good for comparing. Process ids are used again, so a pid alone
 * does not name a process; a pid with this mark does.
 */
export async function startMark(pid: number): Promise<string | undefined> {
  if (onLinux) return (await statFields(pid))?.[19];
  if (process.platform === 'win32') return undefined;
  const answer = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: PS_LIMIT_MS }).catch(
    () => undefined,
  );
  return answer?.stdout.trim() || undefined;
}

/**
 * The space in which process ids have their meaning: this boot and this pid namespace. The same pid in another
 * container is another process, and whether it lives cannot be seen from here.
 */
export async function processSpace(): Promise<string> {
  if (!onLinux) return os.hostname();
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => os.hostname());
  const namespace = await readlink('/proc/self/ns/pid').catch(() => 'unknown');
  return `${boot.trim()} ${namespace}`;
}

/** Whether this process is a PostgreSQL server working in that directory: its working directory is PGDATA. */
export async function isPostgresIn(pid: number, pgData: string): Promise<'yes' | 'no' | 'unknown'> {
  if (!onLinux) return 'unknown';
  const there = await worksIn(pid, pgData);
  if (there !== 'yes') return there;
  const program = await readlink(`/proc/${pid}/exe`).catch(() => undefined);
  if (program === undefined) return 'unknown';
  return path.basename(program).startsWith('postgres') ? 'yes' : 'no';
}

/** True when some process may still be working in the directory, as the children of a killed server do for a moment. */
export async function anyoneWorksIn(directory: string): Promise<boolean> {
  if (!onLinux) return true;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const answers = await Promise.all(pids.map((pid) => worksIn(pid, directory)));
  return answers.includes('yes');
}

async function worksIn(pid: number, directory: string): Promise<'yes' | 'no' | 'unknown'> {
  try {
    const [there, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(directory)]);
    return there.dev === wanted.dev && there.ino === wanted.ino ? 'yes' : 'no';
  } catch (fault) {
    return codeOf(fault) === 'EACCES' ? 'unknown' : 'no';
  }
}

/** The fields of /proc/<pid>/stat after the name, which may itself hold spaces and brackets. */
async function statFields(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}
