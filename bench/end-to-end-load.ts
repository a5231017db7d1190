/**
 * The load of the end-to-end measurement: a process of its own that signs and sends payouts for a while. It keeps a
 * number of them on their way, from being sent to being told by webhook; who pays and tells more quickly gets more.
 */
import { openConnection } from './http/answers.ts';
import { type Payer, signedPayout } from './http/requests.ts';

export interface EndToEndOrder {
  readonly baseUrl: string;
  readonly payers: readonly Payer[];
  readonly connections: number;
  /** The most that are on their way at once. */
  readonly inFlight: number;
  readonly seconds: number;
  /** Stands before the number in each external_id. */
  readonly run: string;
}

export type EndToEndNews = { readonly delivered: number };

export type EndToEndMessage =
  | {
      readonly kind: 'done';
      readonly startedAtMs: number;
      /** When each was accepted, by its number, on the clock that all processes of the machine share. */
      readonly acceptedAtMs: readonly number[];
    }
  | { readonly kind: 'failed'; readonly reason: string };

let onDelivered: (count: number) => void = () => undefined;

async function carryOut(order: EndToEndOrder): Promise<EndToEndMessage> {
  const { baseUrl, payers, inFlight, run } = order;
  const connections = await Promise.all(Array.from({ length: order.connections }, () => openConnection(baseUrl)));
  const idle: { send: (number: number) => void }[] = [];
  const acceptedAtMs: number[] = [];
  let [sent, delivered] = [0, 0];
  const startedAtMs = sharedNow();
  const endAtMs = startedAtMs + order.seconds * 1_000;

  await new Promise<void>((resolve, reject) => {
    const pump = () => {
      const isOver = sharedNow() >= endAtMs;
      if (isOver && idle.length === connections.length) return resolve();
      while (!isOver && sent - delivered < inFlight) {
        const next = idle.shift();
        if (next === undefined) return;
        next.send(sent);
        sent += 1;
      }
    };
    onDelivered = (count) => {
      delivered += count;
      pump();
    };
    for (const connection of connections) {
      let number = 0;
      const place = {
        send: (next: number) => {
          number = next;
          const payer = payers[number % payers.length];
          if (payer === undefined) throw new Error('somebody has to pay');
          const turn = Math.floor(number / payers.length);
          connection.send(signedPayout(baseUrl, payer, turn, `${run}-${number}`));
        },
      };
      const onAnswer = () => {
        acceptedAtMs[number] = sharedNow();
        idle.push(place);
        pump();
      };
      connection.listen(onAnswer, reject);
      idle.push(place);
    }
    setTimeout(pump, order.seconds * 1_000 + 1);
    pump();
  });
  for (const connection of connections) connection.close();
  return { kind: 'done', startedAtMs, acceptedAtMs };
}

function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}

function tell(message: EndToEndMessage): void {
  process.send?.(message);
}

process.on('message', (message: EndToEndOrder | EndToEndNews) => {
  if ('delivered' in message) return onDelivered(message.delivered);
  carryOut(message).then(tell, (fault: unknown) => tell({ kind: 'failed', reason: String(fault) }));
});

// Whoever asked for it is gone.
process.on('disconnect', () => process.exit());
