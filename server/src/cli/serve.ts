/**
 * `payferry serve`: runs the service until it is told to stop. SIGINT and SIGTERM drain it, finish what is under way,
 * stop the embedded database and end with 0. A later second signal ends the drain, or all at once where there is none.
 */
import type { Command } from 'commander';
import { type Service, startService } from '../compose/start-service.ts';
import { openLog } from '../observability/log.ts';
import type { Settings } from '../settings/shape.ts';
import { failIfForeseen } from './failure.ts';
import { addSettingFlags, settingsOf } from './setting-flags.ts';
import { hearStopWishes, type StopWishes } from './stop-wishes.ts';
import { welcome } from './welcome.ts';

export function register(command: Command): void {
  addSettingFlags(command);
  command.action(serve);
}

async function serve(options: Readonly<Record<string, unknown>>): Promise<void> {
  const { settings, origins } = settingsOf(options);
  const log = openLog(settings.log);
  const wishes = hearStopWishes();
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
  }).catch(failIfForeseen);
  console.log(welcome(service, settings));
  // Before it was ready nobody was sent to it.
  const wasAskedEarly = wishes.isWished();
  const reason = await Promise.race([wishes.first, lost]);
  const isAsked = reason.startsWith('SIG');
  log.info('stopping', { reason });
  if (isAsked && !wasAskedEarly) await drain(service, { drainMs: settings.shutdown.drainMs, wishes, lost });
  await stopWithin(settings, service.stop);
  log.info('stopped');
  log.flush();
  process.exit(isAsked ? 0 : 1);
}

interface DrainParts {
  readonly drainMs: number;
  readonly wishes: StopWishes;
  /** Nothing can be answered any more. */
  readonly lost: Promise<unknown>;
}

/** A balancer hears that the process is not ready before its listeners close. One that only works has no callers. */
async function drain(service: Service, { drainMs, wishes, lost }: DrainParts): Promise<void> {
  if (drainMs === 0 || service.apiUrl === undefined) return;
  service.drain();
  await wishes.wait(drainMs, lost);
}

async function stopWithin(settings: Settings, stop: () => Promise<void>): Promise<void> {
  const timer = setTimeout(() => {
    console.error(`payferry: not stopped within ${settings.shutdown.graceMs} ms; ending now`);
    process.exit(1);
  }, settings.shutdown.graceMs);
  await stop();
  clearTimeout(timer);
}
