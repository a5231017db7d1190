/**
 * Fills the File column of docs/open-points.md from the `OP-nn` tags in the code. What is open, what we do and which
 * kind it is stays as people wrote it. Part of `npm run docs`.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DOCUMENT = `${ROOT}docs/open-points.md`;
const TAG = /\bOP-\d+\b/g;

const files = new Map<string, string[]>();
for (const name of readdirSync(`${ROOT}server/src`, { recursive: true, encoding: 'utf8' }).sort()) {
  const path = `server/src/${name}`;
  if (path.endsWith('.test.ts') || !statSync(ROOT + path).isFile()) continue;
  for (const tag of new Set(readFileSync(ROOT + path, 'utf8').match(TAG))) {
    files.set(tag, [...(files.get(tag) ?? []), path]);
  }
}

const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
const synced = lines.map((line) => {
  const [, id] = /^\| (OP-\d+) \|/.exec(line) ?? [];
  if (id === undefined) return line;
  const cells = line.split(' | ').slice(0, -1);
  // An empty last cell is written `| |`, which the split above keeps with the cell before it.
  const kept = cells.length === 6 ? cells : line.replace(/ \| \|$/, '').split(' | ');
  return `${kept.slice(0, 6).join(' | ')} | ${(files.get(id) ?? []).join(', ')} |`.replace(/ \| {2}\|$/, ' | |');
});
writeFileSync(DOCUMENT, synced.join('\n'));
console.log(`docs/open-points.md: files of ${files.size} open points`);
