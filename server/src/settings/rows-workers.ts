/** Settings of the work behind the calls. One row each, in document order. */
import type { Setting } from './setting.ts';

export const WORKER_ROWS = [
  {
    key: 'workers.poll',
    kind: 'duration',
    min: '50ms',
    max: '1m',
    default: '1s',
    description:
      'How often a process looks for work that is due when nothing wakes it. Work that a call gives rise to wakes it at once.',
  },
] as const satisfies readonly Setting[];
