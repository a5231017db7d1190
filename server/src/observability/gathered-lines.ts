/**
 * Lines of the log gather until there are so many, or so long: a busy service would otherwise make one system call for
 * each. The destination could do it too, but measures all that it holds again for every line.
 */
export const WRITE_AT_CHARS = 8_192;
export const WRITE_AFTER_MS = 100;

export class GatheredLines {
  readonly #write: (text: string) => void;
  #lines: string[] = [];
  #chars = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  write(line: string): void {
    this.#lines.push(line);
    this.#chars += line.length;
    if (this.#chars >= WRITE_AT_CHARS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#chars = 0;
    this.#write(text);
  }
}
