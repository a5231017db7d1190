/** client/payout-details.d.ts is what the corridor files say, and a caller's program compiles with it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../server/src/corridors/catalogue.ts';
import { detailsTypes } from '../../server/src/corridors/details-types.ts';

const SAMPLE = fileURLToPath(new URL('./details-sample.ts', import.meta.url));

/** The compiler is slow on a machine that does much else. */
const COMPILE_TIMEOUT_MS = 240_000;

/** Files that do not change are parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

function mistakesIn(change: (text: string) => string = (text) => text): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es5.d.ts'],
    skipDefaultLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
  };
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version, onError) => {
    if (name === SAMPLE) return ts.createSourceFile(name, change(readFileSync(name, 'utf8')), version);
    const source = parsed.get(name) ?? parse(name, version, onError);
    parsed.set(name, source);
    return source;
  };
  const program = ts.createProgram([SAMPLE], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n', 1)[0] ?? '');
}

describe('the types of payout details', () => {
  it('are what the corridor files give; `npm run docs` brings them up to date', () => {
    const written = readFileSync(new URL('../../client/payout-details.d.ts', import.meta.url), 'utf8');
    expect(written).toBe(detailsTypes(loadCatalogue()));
    expect(written.split('\n', 1)[0]).toMatch(/Generated .*`npm run docs`/);
  });

  it(
    'let a right program pass and stop a wrong one, by the name under which the package exports them',
    () => {
      expect(mistakesIn()).toEqual([]);
      expect(mistakesIn((text) => text.replace("bank_code: '058'", "bank_code: '999'"))).toHaveLength(1);
    },
    COMPILE_TIMEOUT_MS,
  );
});
