/**
 * Reads the answer of a receiver, up to bounds, into text that can be stored. An answer counts when it is whole, or
 * when there is more of it than is read: the rest is thrown away without waiting for it.
 */
import type { Dispatcher } from 'undici';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ReadResult =
  /** The connection can be used again, unless the answer was cut. */
  { readonly answer: Answer; readonly isCut: boolean } | { readonly fault: unknown };

export const MAX_ANSWER_BODY_BYTES = 16_384;
export const MAX_ANSWER_HEADER_BYTES = 16_384;
/** PostgreSQL stores no NUL in a text, and the other control characters only confuse who reads it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const REPLACEMENT = '\ufffd';

// Open point OP-123. When an answer counts.
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly result: Promise<ReadResult>;
  #settle: (result: ReadResult) => void = () => undefined;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor() {
    this.result = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** There is nothing to do; by this name undici tells handlers of today from those of old. */
  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Dispatcher.ResponseData['headers']): void {
    // Also called for 1xx, which only says that an answer will come: the last one stays.
    this.#status = status;
    this.#headers = readHeaders(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    const room = MAX_ANSWER_BODY_BYTES - this.#bytes;
    // A copy: the chunk is a view of a buffer that is used again.
    this.#chunks.push(Uint8Array.prototype.slice.call(chunk, 0, room));
    this.#bytes += Math.min(chunk.length, room);
    if (chunk.length <= room) return;
    this.#settle({ answer: this.#answer(true), isCut: true });
    controller.abort(new Error('The rest of the answer is not read.'));
  }

  onResponseEnd(): void {
    this.#settle({ answer: this.#answer(false), isCut: false });
  }

  onResponseError(_: Dispatcher.DispatchController, fault: Error): void {
    this.#settle({ fault });
  }

  #answer(isCut: boolean): Answer {
    return { status: this.#status, headers: this.#headers, body: readText(this.#chunks, isCut) };
  }
}

/** Repeated headers become one, as HTTP allows. */
function readHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      storable(name),
      storable(Array.isArray(value) ? value.join(', ') : (value ?? '')),
    ]),
  );
}

/** What is not UTF-8 is replaced; a character that the bound cuts in two is left out. */
function readText(chunks: readonly Uint8Array[], isCut: boolean): string {
  return storable(new TextDecoder().decode(Buffer.concat(chunks), { stream: isCut }));
}

function storable(text: string): string {
  return text.replace(CONTROL_CHARACTERS, REPLACEMENT);
}
