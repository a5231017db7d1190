/** Mistakes in corridor files: all of them are gathered, each with its file and its place, and told at once. */

export interface Mistake {
  /** Relative to the directory of corridors: `payout/ngn-bank.json`. */
  readonly file: string;
  /** Where in the file: `fields[3].options`. Empty: the file as a whole. */
  readonly place: string;
  readonly says: string;
}

export class CatalogueInvalid extends Error {
  override readonly name = 'CatalogueInvalid';
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(['The corridors have mistakes:', ...mistakes.map(mistakeLine)].join('\n'));
    this.mistakes = mistakes;
  }
}

export function mistakeLine({ file, place, says }: Mistake): string {
  return `  ${file}: ${place === '' ? '' : `${place} `}${says}`;
}

/** A place in a file, handed down while the file is read; mistakes of all places end in one list. */
export class Place {
  readonly file: string;
  readonly path: string;
  readonly #mistakes: Mistake[];

  constructor(file: string, mistakes: Mistake[], path = '') {
    this.file = file;
    this.path = path;
    this.#mistakes = mistakes;
  }

  key(name: string): Place {
    return new Place(this.file, this.#mistakes, this.path === '' ? name : `${this.path}.${name}`);
  }

  item(index: number): Place {
    return new Place(this.file, this.#mistakes, `${this.path}[${index}]`);
  }

  wrong(says: string): undefined {
    this.#mistakes.push({ file: this.file, place: this.path, says });
    return undefined;
  }
}
