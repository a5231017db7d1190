/**
 * `payferry serve`: runs the service until it is told to stop. SIGINT and SIGTERM finish what is under way, stop the
 * embedded database and end with 0; a later second signal ends at once.
 */
import type { Command } from 'commander';
import { startService } from '../compose/start-service.ts';
import { openLog } from '../observability/log.ts';
import type { Settings } from '../settings/shape.ts';
import { CliFailure } from './failure.ts';
import { addSettingFlags, settingsOf } from './setting-flags.ts';
import { welcome } from './welcome.ts';

export function register(command: Command): void {
  addSettingFlags(command);
  command.action(serve);
}

/** Faults that the person who starts the program can mend; their message says how. */
const FORESEEN = new Set([
  'EmbeddedPostgresFault',
  'DataDirectoryInUse',
  'DatabaseNotReached',
  'DatabaseUnsuitable',
  'SchemaMismatch',
  'TableInUse',
  'ClockDisagrees',
  'MasterKeyFault',
  'ListenFault',
  'CatalogueInvalid',
  'RateDataInvalid',
  'ProvidersInvalid',
  'SandboxAccountFault',
]);

async function serve(options: Readonly<Record<string, unknown>>): Promise<void> {
  const { settings, origins } = settingsOf(options);
  const log = openLog(settings.log);
  const stopAsked = nextSignal();
  let onLost: (reason: string) => void = () => undefined;
  const lost = new Promise<string>((resolve) => {
    onLost = resolve;
  });
  const service = await startService({
    settings,
    origins,
    log,
    onProgress: (text) => console.log(text),
    onLost: (reason) => onLost(reason),
  }).catch((fault: unknown) => {
    throw isForeseen(fault) ? new CliFailure(fault.message) : fault;
  });
  console.log(welcome(service, settings));
  const reason = await Promise.race([stopAsked, lost]);
  log.info('stopping', { reason });
  await stopWithin(settings, service.stop);
  log.info('stopped');
  log.flush();
  process.exit(reason.startsWith('SIG') ? 0 : 1);
}

function isForeseen(fault: unknown): fault is Error {
  return fault instanceof Error && FORESEEN.has(fault.name);
}

/** Under npm one Ctrl-C arrives twice, from the terminal and from npm. What follows so soon is the same wish. */
const SAME_WISH_MS = 1_000;

/** Resolves at the first signal; one that comes later does not wait for anything. */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        const nowMs = performance.now();
        firstAtMs ??= nowMs;
        if (nowMs - firstAtMs > SAME_WISH_MS) process.exit(1);
        resolve(signal);
      });
    }
  });
}

async function stopWithin(settings: Settings, stop: () => Promise<void>): Promise<void> {
  const timer = setTimeout(() => {
    console.error(`payferry: not stopped within ${settings.shutdown.graceMs} ms; ending now`);
    process.exit(1);
  }, settings.shutdown.graceMs);
  await stop();
  clearTimeout(timer);
}
