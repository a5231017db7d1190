/** What the house style asks and no other tool checks: sizes, heads of files, and documents that tell the truth. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;
/** The width of the formatter, which leaves comments as they are. */
const MAX_COMMENT_CHARS = 120;
/** A test may spell out a large answer. */
const MAX_TEST_LINES = 80;

/** Where a conversion of a type cannot be had without `as`, beside the files that read rows and foreign text. */
const CASTS_ALLOWED: Readonly<Record<string, string>> = {
  'server/src/kernel/batch.ts': 'an answer may be undefined by its own type, so its presence is known by count',
  'server/src/operator/private-file.ts': 'reads a file whose names were checked one by one',
  'server/src/storage/pg.ts': "the driver's own type is wider than what it calls",
};

/** Edges that speak to the database themselves. */
const SQL_ALLOWED: Readonly<Record<string, string>> = {
  'server/src/compose/wake.ts': 'tells other processes by the database, and stores nothing',
  'server/src/http/health.ts': 'asks whether the server takes writes, and reads no table',
};

interface Source {
  readonly name: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  /** All of the tree, in the order of the text: it is gone through again and again. */
  readonly nodes: readonly ts.Node[];
}

const files = listFiles();
const sources = files.filter((name) => name.endsWith('.ts')).map(readSource);
const service = sources.filter(({ name }) => name.startsWith('server/src/') && !name.endsWith('.test.ts'));
const documents = files.filter((name) => name.endsWith('.md'));
const packageFile = JSON.parse(read('package.json'));

function read(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

function readSource(name: string): Source {
  const text = read(name);
  const tree = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { name, text, tree, nodes };
}

/** What the repository holds or is about to; in a copy without one, what lies in its directories. */
function listFiles(): string[] {
  const folders = ['server', 'test', 'bench', 'prove', 'simulate', 'scripts', 'bin', 'docs'];
  try {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
    const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return listed.split('\n').filter((name) => name !== '' && existsSync(join(ROOT, name)));
  } catch {
    const within = folders.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
    return [...readdirSync(ROOT), ...within].filter((name) => /\.(ts|js|md)$/.test(name));
  }
}

/** `file:line what` for each node for which `look` says what. */
function find(among: readonly Source[], look: (node: ts.Node, source: Source) => string | undefined): string[] {
  const found: string[] = [];
  for (const source of among) {
    for (const node of source.nodes) {
      const what = look(node, source);
      if (what !== undefined) found.push(`${source.name}:${lineOf(source, node.getStart(source.tree))} ${what}`);
    }
  }
  return found;
}

function lineOf({ tree }: Source, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1;
}

/** Of a function that is handed to `it(...)` or `it.each(...)(...)`: it; the same for describe. */
function callerOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node.parent)) return undefined;
  return /^(it|describe)\b/.exec(node.parent.expression.getText())?.[1];
}

function maxLinesOf(node: ts.Node): number {
  const caller = callerOf(node);
  if (caller === 'describe') return MAX_FILE_LINES;
  return caller === 'it' ? MAX_TEST_LINES : MAX_FUNCTION_LINES;
}

describe('the code', () => {
  it('is looked at as a whole', () => {
    expect(service.length).toBeGreaterThan(100);
    expect(documents).toContain('README.md');
  });

  it(`has no file of more than ${MAX_FILE_LINES} lines`, () => {
    const written = sources.filter(({ name }) => !name.endsWith('.d.ts'));
    const sizes = written.map(({ name, text }) => ({ name, lines: text.split('\n').length - 1 }));
    expect(sizes.filter(({ lines }) => lines > MAX_FILE_LINES)).toEqual([]);
  });

  it(`has no line of a comment of more than ${MAX_COMMENT_CHARS} characters, as the formatter has none of code`, () => {
    const tooLong = sources.flatMap(({ name, text }) =>
      text.split('\n').flatMap((line, index) => {
        const isComment = /^\s*(?:\/\*|\*|\/\/)/.test(line);
        return isComment && line.length > MAX_COMMENT_CHARS ? [`${name}:${index + 1} ${line.length} characters`] : [];
      }),
    );
    expect(tooLong).toEqual([]);
  });

  it(`has no function of more than ${MAX_FUNCTION_LINES} lines, and no test of more than ${MAX_TEST_LINES}`, () => {
    const tooLong = find(sources, (node, source) => {
      if (!ts.isFunctionLike(node) || !('body' in node)) return undefined;
      const lines = lineOf(source, node.end) - lineOf(source, node.getStart(source.tree)) + 1;
      // Who calls it is asked only where that matters: there are tens of thousands of functions.
      return lines > MAX_FUNCTION_LINES && lines > maxLinesOf(node) ? `${lines} lines` : undefined;
    });
    expect(tooLong).toEqual([]);
  });

  it('says at the head of each file what it holds', () => {
    const headed = /^(server\/src|test|bench|prove|simulate|scripts)\/(?!.*\.test\.ts$)/;
    const without = sources.filter(
      ({ name, text }) => headed.test(name) && !text.startsWith('/** ') && !text.startsWith('/**\n'),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('has no any and no exclamation mark in place of a check', () => {
    const loose = find(sources, (node) => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
      return ts.isNonNullExpression(node) ? node.getText() : undefined;
    });
    expect(loose).toEqual([]);
  });

  it('converts types by `as` only where rows and foreign text are read', () => {
    const reads = /(store|parse)[a-z-]*\.ts$/;
    const others = service.filter(({ name }) => !reads.test(name) && !(name in CASTS_ALLOWED));
    const isCast = (node: ts.Node) => ts.isAsExpression(node) && node.type.getText() !== 'const';
    expect(find(others, (node) => (isCast(node) ? node.getText() : undefined))).toEqual([]);
    const casting = service.filter((source) => find([source], (node) => (isCast(node) ? '' : undefined)).length > 0);
    expect(Object.keys(CASTS_ALLOWED).filter((name) => !casting.some((source) => source.name === name))).toEqual([]);
  });

  it('has its SQL in the slices, and none at the edges', () => {
    const edges = service.filter(({ name }) => /^server\/src\/(http|operator|workers|compose|cli)\//.test(name));
    const statement = /^[`'"]\s*(?:select\s|insert into\s|update\s+\w+\s.*\bset\s|delete from\s)/s;
    const isText = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    const found = find(edges, (node, { name }) => {
      if (name in SQL_ALLOWED || !isText(node) || !statement.test(node.getText())) return undefined;
      return node.getText().slice(0, 40);
    });
    expect(found).toEqual([]);
  });

  it('writes to the terminal only from the command line', () => {
    const quiet = service.filter(({ name }) => !name.startsWith('server/src/cli/'));
    expect(
      find(quiet, (node) => (ts.isIdentifier(node) && node.text === 'console' ? node.parent.getText() : undefined)),
    ).toEqual([]);
  });

  it('leaves nothing for later, and leaves no test out', () => {
    const later = /\b(?:TO.?DO|FIX.?ME)\b/;
    const skipped = /\b(?:it|test|describe)\.(?:skip|only|todo)\b/;
    const marked = sources.filter(({ text }) => later.test(text) || skipped.test(text));
    expect(marked.map(({ name }) => name)).toEqual([]);
  });
});

describe('the documents', () => {
  it('name every npm script, and only those that exist', () => {
    const text = read('README.md') + read('CONTRIBUTING.md');
    const named = [...text.matchAll(/npm (?:run ([a-z]+)|(start|test))\b/g)].map((match) => match[1] ?? match[2] ?? '');
    expect([...new Set(named)].sort()).toEqual(Object.keys(packageFile.scripts).sort());
  });

  it('give a reason for every run-time dependency, and each is used', () => {
    const dependencies = Object.keys(packageFile.dependencies).sort();
    const decision = read('docs/adr/0006-run-time-dependencies.md').split('## ')[2] ?? '';
    expect([...decision.matchAll(/`([^`]+)`/g)].map((match) => match[1]).sort()).toEqual(dependencies);
    const isUsed = (name: string) =>
      service.some(({ text }) => text.includes(`'${name}'`) || text.includes(`'${name}/`));
    expect(dependencies.filter((name) => !isUsed(name))).toEqual([]);
  });

  it('link only to what is there', () => {
    const dead = documents.flatMap((name) =>
      [...read(name).matchAll(/\]\(([^)\s]+)\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(name, target))
        .map((target) => `${name}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it('are all found from the README, from page to page', () => {
    const found = new Set(['README.md']);
    for (const name of found) {
      const targets = [...read(name).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? '');
      const paths = targets.map((target) => normalize(join(dirname(name), target)));
      // A link to a directory leads to what is in it.
      const pages = documents.filter((page) => paths.includes(page) || paths.includes(`${dirname(page)}/`));
      for (const page of pages) found.add(page);
    }
    expect(documents.filter((name) => !found.has(name))).toEqual([]);
  });

  it('name only files that are there', () => {
    const path = /`((?:server|test|docs|scripts|bench|prove|simulate|bin)\/[\w./-]+\.[a-z]+)`/g;
    const missing = documents.flatMap((name) =>
      [...read(name).matchAll(path)]
        .map((match) => match[1] ?? '')
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${name}: ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it('tell in the change log what the next release brings', () => {
    const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(read('CHANGELOG.md')) ?? [];
    expect(unreleased).toMatch(/^- \S/m);
  });
});

/** A file, and where the link goes on with `#`, a heading in it. */
function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || headingsOf(read(target)).includes(anchor);
}

/** As they appear in addresses: lower case, spaces as hyphens, no other signs. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
