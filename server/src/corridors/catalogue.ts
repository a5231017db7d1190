/**
 * The catalogue: every payout and payin type, loaded from data files and checked at start. Mistakes of all files are
 * told at once. Spec: Payout method, Payin method. Open points OP-15, OP-20. How to add one: docs/add-a-corridor.md.
 */
import { present } from '../kernel/assert.ts';
import { corridorsDirectory } from '../kernel/program-files.ts';
import { CURRENCIES } from '../money/currencies.ts';
import { checkAgainst } from './check-details.ts';
import type { OptionMap, PayinCorridor, PayoutCorridor, RuleSet } from './corridor.ts';
import { BALANCE_TYPE, fileStem, readType } from './corridor-type.ts';
import { exampleOf } from './example.ts';
import { type PayoutFile, payinFile, payoutFile, sharedFile } from './file-shape.ts';
import { CatalogueInvalid, type Mistake, Place } from './mistakes.ts';
import { makePayin } from './payin.ts';
import { makePayout, mayPayFives, type OperatorOfFives, type PayoutMaker } from './payout.ts';
import { type CorridorFile, type CorridorFiles, readDirectories } from './read-directory.ts';
import type { SharedLists } from './rule.ts';
import { withTestNetworks } from './test-networks.ts';

interface CatalogueOptions {
  /** Where the files are; those that come with the program unless told otherwise. */
  readonly directory?: string;
  /** The operator's own files. They add types, and replace files of the same name. */
  readonly extraDirectory?: string;
  /** Files to use in place of the usual ones: `{ 'payout/ngn-bank': 'published' }`. */
  readonly variants?: Readonly<Record<string, string>>;
  /** Mobile operators that pay only multiples of five, beside those of the files. Open point OP-78. */
  readonly operatorsOfFives?: readonly OperatorOfFives[];
  /** Addresses of test networks are taken too: in the sandbox. */
  readonly testNetworks?: boolean;
}

export interface Catalogue {
  payout(type: string): PayoutCorridor | undefined;
  payin(type: string): PayinCorridor | undefined;
  /** The same for a type that was accepted before: here a missing corridor is a bug, or its file is gone. */
  mustPayout(type: string): PayoutCorridor;
  mustPayin(type: string): PayinCorridor;
  /** One for each type, in the order of the files; balances once for each currency. */
  payouts(): readonly PayoutCorridor[];
  payins(): readonly PayinCorridor[];
}

/** Throws CatalogueInvalid with every mistake of every file. */
export function loadCatalogue(options: CatalogueOptions = {}): Catalogue {
  const mistakes: Mistake[] = [];
  const { directory = corridorsDirectory(), extraDirectory, variants = {}, operatorsOfFives = [] } = options;
  const files = readDirectories(extraDirectory === undefined ? [directory] : [directory, extraDirectory], mistakes);
  const chosen = chooseVariants(files, variants, mistakes);
  const shared = readShared(files.shared, mistakes);
  const asUsed = (each: readonly CorridorFile[]) => (options.testNetworks ? each.map(withTestNetworks) : each);
  const payouts = readPayouts(asUsed(files.payout), chosen, shared, operatorsOfFives, mistakes);
  const payins = readPayins(asUsed(files.payin), chosen, shared, mistakes);
  if (mistakes.length > 0) throw new CatalogueInvalid(mistakes);
  const payoutList = Object.freeze([...payouts.values()]);
  const payinList = Object.freeze([...payins.values()]);
  return {
    payout: (type) => payouts.get(type),
    payin: (type) => payins.get(type),
    mustPayout: (type) => present(payouts.get(type), `corridor ${type}`),
    mustPayin: (type) => present(payins.get(type), `corridor ${type}`),
    payouts: () => payoutList,
    payins: () => payinList,
  };
}

type IsChosen = (folder: string, file: CorridorFile) => boolean;

function chooseVariants(
  files: CorridorFiles,
  variants: Readonly<Record<string, string>>,
  mistakes: Mistake[],
): IsChosen {
  const paths = new Set([...files.payout, ...files.payin].map(({ path }) => path));
  for (const [name, variant] of Object.entries(variants)) {
    if (!paths.has(`${name}.${variant}.json`)) new Place(name, mistakes).wrong(`has no variant ${variant}`);
  }
  return (folder, { stem, variant }) => {
    const name = `${folder}/${stem}`;
    return variant === (Object.hasOwn(variants, name) ? variants[name] : undefined);
  };
}

export function readShared(files: readonly CorridorFile[], mistakes: Mistake[]): SharedLists {
  const lists = new Map<string, OptionMap>();
  for (const { path, stem, content } of files) {
    const file = sharedFile(content, new Place(path, mistakes));
    if (file !== undefined) lists.set(stem, file.options);
  }
  return lists;
}

export function readPayouts(
  files: readonly CorridorFile[],
  isChosen: IsChosen,
  shared: SharedLists,
  fives: readonly OperatorOfFives[],
  mistakes: Mistake[],
): ReadonlyMap<string, PayoutCorridor> {
  const payouts = new Map<string, PayoutCorridor>();
  const chosenFiles: PayoutFile[] = [];
  for (const found of files) {
    const place = new Place(found.path, mistakes);
    const file = payoutFile(found.content, place);
    if (file === undefined) continue;
    const make = makePayout(file, found.path, shared, fives, place);
    const corridors = corridorsOf(file.type, found, make, place);
    for (const recipient of file.recipients) checkExamples(corridors[0]?.rules(recipient), place);
    if (!isChosen('payout', found)) continue;
    chosenFiles.push(file);
    for (const corridor of corridors) payouts.set(corridor.type, corridor);
  }
  for (const operator of fives) {
    if (chosenFiles.some((file) => mayPayFives(file, operator))) continue;
    const pair = `${operator.country}/${operator.mobileProvider}`;
    new Place('operators of multiples of five', mistakes).wrong(`name one that no corridor has: ${pair}`);
  }
  return payouts;
}

function corridorsOf(
  type: string,
  file: CorridorFile,
  make: PayoutMaker | undefined,
  place: Place,
): readonly PayoutCorridor[] {
  checkStem(type, file, place);
  if (type === BALANCE_TYPE) {
    return CURRENCIES.flatMap(({ code }) => make?.(`${code}::Balance`, { currency: code, kind: 'balance' }) ?? []);
  }
  const name = readType(type);
  if ('says' in name) place.key('type').wrong(name.says);
  return 'says' in name || make === undefined ? [] : [make(type, name)];
}

export function readPayins(
  files: readonly CorridorFile[],
  isChosen: IsChosen,
  shared: SharedLists,
  mistakes: Mistake[],
): ReadonlyMap<string, PayinCorridor> {
  const payins = new Map<string, PayinCorridor>();
  for (const found of files) {
    const place = new Place(found.path, mistakes);
    const file = payinFile(found.content, place);
    if (file === undefined) continue;
    checkStem(file.type, found, place);
    const name = readType(file.type);
    if ('says' in name) place.key('type').wrong(name.says);
    if ('says' in name) continue;
    const corridor = makePayin(file, found.path, name, shared, place);
    checkExamples(corridor?.rules(), place);
    if (corridor !== undefined && isChosen('payin', found)) payins.set(file.type, corridor);
  }
  return payins;
}

function checkStem(type: string, file: CorridorFile, place: Place): void {
  if (file.stem !== fileStem(type)) place.key('type').wrong(`is ${type}, whose file is named ${fileStem(type)}.json`);
}

/** The examples of a file have to pass its own rules: the docs show them. */
function checkExamples(ruleSet: RuleSet | undefined, place: Place): void {
  if (ruleSet === undefined) return;
  for (const optional of [false, true]) {
    const { refusals } = checkAgainst(ruleSet, exampleOf(ruleSet, { optional }));
    const [first] = refusals;
    if (first === undefined) continue;
    const fields = refusals.map(({ path, code }) => `${path.join('.')} is ${code}`);
    place.key('fields').wrong(`have examples that the file itself refuses: ${fields.join(', ')}`);
    return;
  }
}
