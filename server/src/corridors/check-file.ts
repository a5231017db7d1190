/**
 * Checks one corridor file by itself, for somebody who writes it: by the same code that reads all of them at start.
 * Lists may come from the shared folder that stands beside the file's own folder, or from those of the program.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { corridorsDirectory } from '../kernel/program-files.ts';
import { readPayins, readPayouts, readShared } from './catalogue.ts';
import type { Mistake } from './mistakes.ts';
import { isRecord } from './parse-file.ts';
import { type Folder, readDirectories, readFile } from './read-directory.ts';

export interface CheckedFile {
  /** Undefined when the file does not tell. */
  readonly type: string | undefined;
  readonly mistakes: readonly Mistake[];
}

export function checkCorridorFile(path: string): CheckedFile {
  const mistakes: Mistake[] = [];
  const full = resolve(path);
  const file = readFile(dirname(full), basename(full), mistakes);
  if (file === undefined) return { type: undefined, mistakes };
  const folder = folderOf(full, file.content);
  if (folder === 'shared') readShared([file], mistakes);
  else {
    const lists = readShared(sharedFiles(join(dirname(full), '..')), []);
    const all = () => true;
    if (folder === 'payin') readPayins([file], all, lists, mistakes);
    else readPayouts([file], all, lists, [], mistakes);
  }
  const { type } = isRecord(file.content) ? file.content : { type: undefined };
  return { type: typeof type === 'string' ? type : folder, mistakes };
}

/** By the folder that it lies in; elsewhere by a key that only files of its kind have. */
function folderOf(full: string, content: unknown): Folder {
  const folder = basename(dirname(full));
  if (folder === 'payout' || folder === 'payin' || folder === 'shared') return folder;
  if (!isRecord(content) || 'fields' in content) return isRecord(content) && 'ux_flow' in content ? 'payin' : 'payout';
  return 'shared';
}

/** Mistakes in other files are told when those are checked. */
function sharedFiles(beside: string) {
  return readDirectories([corridorsDirectory(), beside], []).shared;
}
