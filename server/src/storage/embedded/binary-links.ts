/**
 * The package of binaries carries its symbolic links as a list, because a package archive cannot hold links; an
 * install script makes them, and that script is often blocked. We make those that are missing.
 */
import { lstat, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from './faults.ts';

interface Link {
  readonly source: string;
  readonly target: string;
}

const LINKS_LIMIT = 1_000;

/**
 * True when all links are there in the end. Two programs may do this at once: a link that the other made first is as
 * good as ours. False when the package may not be written to; the caller then works on a copy.
 */
export async function repairLinks(packageRoot: string): Promise<boolean> {
  const text = await readFile(path.join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of parseLinks(text)) {
    const target = path.join(packageRoot, link.target);
    if (!isInside(packageRoot, target) || (await exists(target))) continue;
    const source = path.relative(path.dirname(target), path.join(packageRoot, link.source));
    try {
      await symlink(source, target);
    } catch (fault) {
      if (codeOf(fault) !== 'EEXIST') return false;
    }
  }
  return true;
}

async function exists(target: string): Promise<boolean> {
  return lstat(target).then(
    () => true,
    () => false,
  );
}

function isInside(root: string, target: string): boolean {
  return !path.relative(root, target).startsWith('..');
}

function parseLinks(text: string): Link[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter(isLink).slice(0, LINKS_LIMIT) : [];
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}
