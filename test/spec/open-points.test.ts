/**
 * docs/open-points.md and the tags in the code agree, both ways: every tag has a row that names its file, and every row
 * that is built names files that carry its tag. A tag is any `OP-nn` in a file of the program, tests left out.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument, tableUnder } from '../support/markdown.ts';

const ROOT = new URL('../../', import.meta.url);
const HEADER = ['Id', 'Where', 'What is open', 'Kind', 'What Payferry does', 'Source', 'File'];
const KINDS = ['published', 'setting', 'ours', 'absent'];
const SOURCES = /^(ours|(docs|JS|Ruby|Java|\.NET)(, (docs|JS|Ruby|Java|\.NET))*)$/;
const TAG = /\bOP-\d+\b/g;

const { header, rows } = tableUnder(readDocument('docs/open-points.md'), 'All open points');
const points = rows.map(([id = '', , , kind = '', , source = '', file = '']) => ({
  id,
  kind,
  source,
  files: file === '' ? [] : file.split(', '),
}));
const isBuilt = (point: { kind: string }) => point.kind !== 'absent';

/** Tag to the files that carry it, as paths from the root. */
function tagsInCode(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of readdirSync(new URL('server/src', ROOT), { recursive: true, encoding: 'utf8' })) {
    const path = `server/src/${name.replaceAll('\\', '/')}`;
    const url = new URL(path, ROOT);
    if (path.endsWith('.test.ts') || !statSync(url).isFile()) continue;
    for (const tag of new Set(readFileSync(url, 'utf8').match(TAG))) {
      found.set(tag, [...(found.get(tag) ?? []), path]);
    }
  }
  return found;
}

const tags = tagsInCode();

describe('the document', () => {
  it('has the seven columns', () => {
    expect(header).toEqual(HEADER);
  });

  it('numbers its rows upwards from OP-1, each number once', () => {
    const numbers = points.map((point) => Number(point.id.slice('OP-'.length)));
    expect(numbers[0]).toBe(1);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => left - right));
  });

  it('says of each row what kind it is and where it comes from', () => {
    expect(points.filter((point) => !KINDS.includes(point.kind))).toEqual([]);
    expect(points.filter((point) => !SOURCES.test(point.source))).toEqual([]);
  });

  it('names a file for each row that is built, and none for what is absent', () => {
    expect(points.filter((point) => isBuilt(point) && point.files.length === 0)).toEqual([]);
    expect(points.filter((point) => point.kind === 'absent' && point.files.length > 0)).toEqual([]);
  });
});

describe('tags and rows', () => {
  it('every tag in the code has a row that names its file', () => {
    const missing = [...tags].flatMap(([tag, files]) => {
      const named = points.find((point) => point.id === tag)?.files ?? [];
      return files.filter((file) => !named.includes(file)).map((file) => `${tag} in ${file}`);
    });
    expect(missing).toEqual([]);
  });

  it('every file that a built row names exists and carries the tag', () => {
    const missing = points
      .filter(isBuilt)
      .flatMap((point) =>
        point.files
          .filter((file) => !existsSync(new URL(file, ROOT)) || !tags.get(point.id)?.includes(file))
          .map((file) => `${point.id} in ${file}`),
      );
    expect(missing).toEqual([]);
  });

  it('a document that cites an open point cites one that exists', () => {
    const known = points.map((point) => point.id);
    for (const path of ['docs/interface.md', 'docs/errors.md', 'docs/open-points.md']) {
      expect(
        readDocument(path)
          .match(TAG)
          ?.filter((tag) => !known.includes(tag)),
        path,
      ).toEqual([]);
    }
  });
});
