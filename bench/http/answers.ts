/**
 * A connection of a load generator. Of the answers only status and length are read; any but 201 is a fault. All
 * connections read into the same bytes, without the streams of Node.js: the load shares the cores with what it
 * measures.
 */
import { connect, type Socket } from 'node:net';

const STATUS_AT = 9;
const CREATED = Buffer.from('201 ');
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH_HEADER = Buffer.from('\r\ncontent-length: ');
const [DIGIT_0, DIGIT_9] = [0x30, 0x39];
const NOTHING = Buffer.alloc(0);

/** One is read at a time, and nothing of it is kept. */
const READ_INTO = Buffer.alloc(65_536);

/** Reads one answer after the other from the chunks of a connection. */
class Answers {
  readonly #onAnswer: () => void;
  #head: Buffer = NOTHING;
  #bodyLeft = 0;

  constructor(onAnswer: () => void) {
    this.#onAnswer = onAnswer;
  }

  take(chunk: Buffer): void {
    if (this.#bodyLeft > 0) {
      this.#bodyLeft -= chunk.length;
      if (this.#bodyLeft === 0) this.#onAnswer();
      return;
    }
    const begun = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = begun.indexOf(HEAD_END);
    if (end === -1) {
      this.#head = Buffer.from(begun);
      return;
    }
    this.#head = NOTHING;
    this.#bodyLeft = lengthIn(begun) - (begun.length - end - HEAD_END.length);
    if (this.#bodyLeft === 0) this.#onAnswer();
  }
}

function lengthIn(head: Buffer): number {
  const headerAt = head.indexOf(LENGTH_HEADER);
  const isCreated = head.subarray(STATUS_AT, STATUS_AT + CREATED.length).equals(CREATED);
  if (!isCreated || headerAt === -1) throw new Error(`a payout was answered with ${head.toString('utf8')}`);
  let length = 0;
  for (let at = headerAt + LENGTH_HEADER.length; isDigit(head[at]); at += 1) length = length * 10 + digitOf(head[at]);
  return length;
}

function isDigit(byte = 0): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

function digitOf(byte = DIGIT_0): number {
  return byte - DIGIT_0;
}

export interface Connection {
  send(request: Buffer): void;
  /** `onAnswer` for each answer, `onFault` when there is one or the service closes the connection. */
  listen(onAnswer: () => void, onFault: (fault: unknown) => void): void;
  close(): void;
}

export function openConnection(baseUrl: string): Promise<Connection> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const heard = { onAnswer: () => {}, onFault: reject };
    const answers = new Answers(() => heard.onAnswer());
    const socket: Socket = connect({
      port: Number(port),
      host: hostname,
      noDelay: true,
      onread: {
        buffer: READ_INTO,
        callback: (bytes) => {
          try {
            answers.take(READ_INTO.subarray(0, bytes));
          } catch (fault) {
            heard.onFault(fault);
          }
          return true;
        },
      },
    });
    const onClose = () => heard.onFault(new Error('the service closed a connection'));
    socket.on('error', (fault) => heard.onFault(fault));
    socket.on('close', onClose);
    socket.once('connect', () =>
      resolve({
        send: (request) => void socket.write(request),
        listen: (onAnswer, onFault) => void Object.assign(heard, { onAnswer, onFault }),
        close: () => void socket.off('close', onClose).destroy(),
      }),
    );
  });
}
