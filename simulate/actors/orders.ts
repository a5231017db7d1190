/** How operators give orders: each is sent until it is heard, under one id; what was acknowledged is a promise. */
import { nextId, type OperatorName, type Stage } from '../stage.ts';
import type { HeardAnswer } from '../world.ts';
import { textAt } from './answers.ts';

const AGAIN_MS = 60_000;
const MAX_TRIES = 20;
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

export interface Order {
  readonly path: string;
  readonly body?: unknown;
  readonly as?: OperatorName;
  readonly method?: 'POST' | 'DELETE';
  /** The same twice at once is a double click. */
  readonly commandId?: string;
}

/** Undefined: nobody ever answered. */
export async function giveOrder(stage: Stage, order: Order): Promise<HeardAnswer | undefined> {
  const { path, body, as = 'olga', method = 'POST', commandId = nextId(stage.world) } = order;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const answer = await stage.operate(method, path, body, commandId, as);
    const said = `${answer?.status ?? 'no answer'} ${textAt(answer?.body, 'error') ?? ''}`;
    stage.world.trace.add(as, `${method} ${path.replace(ID, '…')}: ${said}`);
    if (answer !== undefined && answer.status < 300) keep(stage, path, commandId);
    if (answer !== undefined && answer.status < 500) return answer;
    if (answer?.status === 500) stage.world.violate('no call meets a fault', `${path}: ${JSON.stringify(answer.body)}`);
    await stage.world.sleep(AGAIN_MS);
  }
  return undefined;
}

/** `/operator/payins/{id}/accept`: accept, of that id. */
function keep({ promises }: Stage, path: string, commandId: string): void {
  const subject = ID.exec(path)?.[0] ?? '';
  const what = path.slice(path.lastIndexOf('/') + 1);
  if (promises.decided.some((each) => each.commandId === commandId)) return;
  promises.decided.push({ subject, what, commandId });
}
