/** A planted fault: a small change of the source, and the tests that must notice it. */
export interface Mutant {
  /** Its name in the results, and for `--only`. */
  readonly name: string;
  /** What goes wrong, as a sentence for the table in docs/proof.md. */
  readonly fault: string;
  readonly file: string;
  /** Stands in the file exactly once; the check fails when it does not, so that the table follows the code. */
  readonly find: string;
  readonly put: string;
  /** Only these are run. */
  readonly tests: readonly string[];
}

export interface Area {
  readonly area: string;
  readonly mutants: readonly Mutant[];
}
