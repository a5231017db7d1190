/**
 * Waking the loops of work: whoever has committed something says so, and the loops look for what is due. Only a hint:
 * loops look by themselves as well. compose/wake.ts carries it to the other processes.
 */
export type WakeTopic =
  /** A transaction may be due: funded, edited, canceled, or its provider has called. */
  | 'transactions'
  /** Events were stored. */
  | 'deliveries'
  /** A sender may be due for its checks. */
  | 'senders'
  /** The sandbox clock was moved. */
  | 'clock'
  /** An operator switched a corridor, or a provider of one, off or on. */
  | 'corridors'
  /** An operator has paused or resumed a provider. */
  | 'providers';

export interface Wake {
  wake(topic: WakeTopic): void;
  /** Calls back at each wake-up until the returned function is called. */
  on(topic: WakeTopic, listener: () => void): () => void;
}

/** Within one process. */
export function localWake(): Wake {
  const listeners = new Map<WakeTopic, Set<() => void>>();
  return {
    wake: (topic) => {
      for (const listener of listeners.get(topic) ?? []) listener();
    },
    on: (topic, listener) => {
      const ofTopic = listeners.get(topic) ?? new Set();
      listeners.set(topic, ofTopic.add(listener));
      return () => ofTopic.delete(listener);
    },
  };
}
