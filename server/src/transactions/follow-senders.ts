/**
 * What a sender's move means for its transactions: approved, those that waited for it can be funded; into or out of
 * approved, those that are funded are looked at again. In the commit of the move, with the sender's row locked. Nothing
 * is sent: the caller hears of the sender. Spec: Transaction states (waiting for sender approval). Open point OP-185.
 */
import type { Tx } from '../kernel/database.ts';
import type { SenderKey } from '../senders/sender.ts';
import { canTransact, type SenderState } from '../senders/states.ts';
import { approveTransactionsOf, lockTransactionsOf, wakeTransactionsOf } from './wake-of-senders-store.ts';

interface MovedSender extends SenderKey {
  readonly state: SenderState;
}

export async function followSenders(tx: Tx, moved: readonly MovedSender[], at: Date): Promise<void> {
  if (moved.length === 0) return;
  await lockTransactionsOf(tx, moved);
  await approveTransactionsOf(
    tx,
    moved.filter(({ state }) => canTransact(state)),
    at,
  );
  await wakeTransactionsOf(tx, moved, at);
}
