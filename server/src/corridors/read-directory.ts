/** Reads the folders payout, payin and shared of a directory of corridors: bounded, synchronous, at start only. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Mistake, Place } from './mistakes.ts';

const FOLDERS = ['payout', 'payin', 'shared'] as const;
export type Folder = (typeof FOLDERS)[number];

const MAX_FILES_PER_FOLDER = 1_000;
const MAX_FILE_BYTES = 512 * 1024;
const FILE_NAME = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:\.([a-z0-9]+(?:-[a-z0-9]+)*))?\.json$/;

export interface CorridorFile {
  /** `payout/ngn-bank.published.json`. */
  readonly path: string;
  /** `ngn-bank`. */
  readonly stem: string;
  /** `published`; undefined for the file that is used unless another is chosen. */
  readonly variant: string | undefined;
  readonly content: unknown;
}

export type CorridorFiles = Readonly<Record<Folder, readonly CorridorFile[]>>;

/** A file of a later directory replaces the one of the same name in an earlier directory. */
export function readDirectories(directories: readonly string[], mistakes: Mistake[]): CorridorFiles {
  const folderOf = (folder: Folder): readonly CorridorFile[] => {
    const byPath = new Map<string, CorridorFile>();
    for (const directory of directories) {
      for (const file of readFolder(directory, folder, mistakes)) byPath.set(file.path, file);
    }
    return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  };
  return { payout: folderOf('payout'), payin: folderOf('payin'), shared: folderOf('shared') };
}

/** A directory may leave folders out; a directory without any is most likely the wrong one. */
function readFolder(directory: string, folder: Folder, mistakes: Mistake[]): readonly CorridorFile[] {
  const names = list(join(directory, folder));
  if (names === undefined) {
    if (folder === 'payout' && FOLDERS.every((each) => list(join(directory, each)) === undefined)) {
      new Place(directory, mistakes).wrong(`has none of the folders ${FOLDERS.join(', ')}`);
    }
    return [];
  }
  if (names.length > MAX_FILES_PER_FOLDER) {
    new Place(folder, mistakes).wrong(`has more than ${MAX_FILES_PER_FOLDER} files`);
    return [];
  }
  return names.flatMap((name) => readFile(directory, `${folder}/${name}`, mistakes) ?? []);
}

/** The path is relative to the directory. */
export function readFile(directory: string, path: string, mistakes: Mistake[]): CorridorFile | undefined {
  const place = new Place(path, mistakes);
  const [, stem, variant] = FILE_NAME.exec(basename(path)) ?? [];
  if (stem === undefined) return place.wrong('is not named like ngn-bank.json or ngn-bank.published.json');
  try {
    const full = join(directory, path);
    if (statSync(full).size > MAX_FILE_BYTES) return place.wrong(`is larger than ${MAX_FILE_BYTES} bytes`);
    return { path, stem, variant, content: JSON.parse(readFileSync(full, 'utf8')) };
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    return place.wrong(fault instanceof SyntaxError ? `is not JSON: ${reason}` : `cannot be read: ${reason}`);
  }
}

function list(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return undefined;
  }
}
