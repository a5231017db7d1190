/** The answers on a connection of a load generator: of each only status and length are read. Any but 201 is a fault. */
import { connect, type Socket } from 'node:net';

const CREATED = ' 201 ';
const STATUS_AT = 8;
const HEAD_END = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);
const LENGTH_HEADER = /\r\ncontent-length: ([0-9]+)\r\n/i;

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
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) return;
    const head = this.#head.toString('latin1', 0, end + 2);
    const length = LENGTH_HEADER.exec(head)?.[1];
    if (length === undefined || head.slice(STATUS_AT, STATUS_AT + CREATED.length) !== CREATED) {
      throw new Error(`a payout was answered with ${this.#head.toString('utf8')}`);
    }
    this.#bodyLeft = Number(length) - (this.#head.length - end - HEAD_END.length);
    this.#head = NOTHING;
    if (this.#bodyLeft === 0) this.#onAnswer();
  }
}

/** `onAnswer` for each answer on this connection, `onFault` when there is one or the service closes it. */
export function listenToAnswers(socket: Socket, onAnswer: () => void, onFault: (fault: unknown) => void): void {
  const answers = new Answers(onAnswer);
  socket.on('data', (chunk: Buffer) => {
    try {
      answers.take(chunk);
    } catch (fault) {
      onFault(fault);
    }
  });
  socket.on('error', onFault);
  socket.on('close', () => onFault(new Error('the service closed a connection')));
}

export function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket)).setNoDelay(true);
    socket.once('error', reject);
  });
}
