/**
 * Opens the screening that the settings ask for. A broken list stops the start, with file, line and reason; later a
 * broken one is told about and the lists read before stay in force. Live mode without any list is warned of.
 */
import { assert } from '../kernel/assert.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { type KeptLists, keepLists } from '../screening/kept-lists.ts';
import { LIST_FORMATS, type ListSource } from '../screening/load-lists.ts';
import { noLists, type SenderScreening } from '../screening/sender-screening.ts';
import type { Settings } from '../settings/shape.ts';
import { every } from './every.ts';

export interface OpenScreening extends SenderScreening {
  close(): Promise<void>;
}

const NOBODY_COMPARED = 'no sanctions list is set up (screening.lists): senders are compared with none';

/** Throws ListInvalid. */
export async function openScreening(parts: {
  readonly settings: Pick<Settings, 'screening' | 'mode'>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'gauge'>;
}): Promise<OpenScreening> {
  const { lists, threshold, reloadIntervalMs } = parts.settings.screening;
  if (lists.length === 0) {
    if (parts.settings.mode === 'live') parts.log.warn(NOBODY_COMPARED);
    return { ...noLists, close: async () => undefined };
  }
  const kept = await keepLists(lists.map(listSource), Number(threshold));
  parts.log.info('sanctions lists loaded', { version: kept.version(), entries: kept.entries() });
  showIn(parts.metrics, kept);
  const look = async (): Promise<void> => {
    const { outcome, version, entries, reason } = await kept.reload();
    if (outcome === 'reloaded') parts.log.info('sanctions lists reloaded', { version, entries });
    if (outcome === 'broken') parts.log.error('a sanctions list is broken; the earlier ones hold', { version }, reason);
  };
  const onFault = (fault: unknown) => parts.log.error('sanctions lists could not be looked at', {}, fault);
  const close = every(reloadIntervalMs, look, onFault);
  return { version: kept.version, screen: kept.screen, close };
}

/** Lists that nobody brings any more, or that cannot be used, are seen from outside. */
function showIn({ gauge }: Pick<Metrics, 'gauge'>, kept: KeptLists): void {
  const labels: readonly never[] = [];
  const one = (value: number) => [{ labels: {}, value }];
  gauge({ name: 'payferry_screening_entries', help: 'Entries of the lists in force.', labels }, () =>
    one(kept.entries()),
  );
  gauge(
    { name: 'payferry_screening_broken', help: '1: the files cannot be used, earlier lists are in force.', labels },
    () => one(kept.isBroken() ? 1 : 0),
  );
  const age = {
    name: 'payferry_screening_oldest_seconds',
    help: 'Since the list longest unchanged was changed.',
    labels,
  };
  gauge(age, async () => {
    const at = await kept.oldestChange();
    return at === undefined ? [] : one((Date.now() - at.getTime()) / 1_000);
  });
}

/** `un-xml:/lists/un.xml`. The form was checked with the settings. */
function listSource(written: string): ListSource {
  const colon = written.indexOf(':');
  const format = LIST_FORMATS.find((name) => name === written.slice(0, colon));
  assert(format !== undefined, 'a format that the settings allow');
  return { format, path: written.slice(colon + 1) };
}
