/**
 * The processes of the program: two that answer calls and two that work, each with a directory of its own, on one
 * database. Whichever is killed is started again, as a process manager does it, also while the database is gone and a
 * start fails.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, type RunningProcess, startProcess } from '../running-program.ts';
import { type Balancer, LOOPBACK } from './balancer.ts';
import { freePort } from './free-port.ts';

const MEMBERS = ['api-1', 'api-2', 'worker-1', 'worker-2'] as const;
export type Member = (typeof MEMBERS)[number];

const START_TRIES = 60;
const START_PAUSE_MS = 250;

export class Fleet {
  readonly #workDir: string;
  readonly #env: Environment;
  readonly #balancer: Balancer;
  readonly #ports = new Map<Member, number>();
  readonly #running = new Map<Member, RunningProcess>();
  readonly #starting = new Set<Promise<void>>();
  #isClosing = false;
  /** Starts that failed because there was no database, and were made again. */
  failedStarts = 0;

  constructor(workDir: string, env: Environment, balancer: Balancer) {
    this.#workDir = workDir;
    this.#env = env;
    this.#balancer = balancer;
  }

  directoryOf(member: Member): string {
    return join(this.#workDir, member);
  }

  /** Those that are ready. */
  up(): readonly Member[] {
    return MEMBERS.filter((member) => this.#running.has(member));
  }

  /** The first one alone: it makes the schema and the operator. */
  async start(): Promise<void> {
    // The balancer knows both that answer calls, dead or alive: of a dead one it learns when it cannot connect.
    for (const member of MEMBERS) if (isApi(member)) this.#ports.set(member, await freePort());
    this.#balancer.sendTo([...this.#ports.values()].map((port) => ({ host: LOOPBACK, port })));
    const [first, ...others] = MEMBERS;
    await this.#startMember(first, 1);
    await Promise.all(others.map((member) => this.#startMember(member, 1)));
  }

  /** Dead when this resolves, and being started again. */
  async kill(member: Member): Promise<void> {
    const process = this.#running.get(member);
    if (process === undefined) return;
    this.#running.delete(member);
    await process.kill();
    const started = this.#startMember(member, START_TRIES).finally(() => this.#starting.delete(started));
    this.#starting.add(started);
    // Whoever waits for all of them is told of a failure.
    started.catch(() => undefined);
  }

  /** Until all that were killed are ready again. */
  async whole(): Promise<void> {
    await Promise.all(this.#starting);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#running.values()].map((process) => process.kill()));
  }

  async #startMember(member: Member, maxTries: number): Promise<void> {
    const dataDir = this.directoryOf(member);
    await mkdir(dataDir, { recursive: true });
    const flags = isApi(member) ? ['--role', 'api', '--port', String(this.#ports.get(member))] : ['--role', 'worker'];
    for (let tries = 1; ; tries += 1) {
      if (this.#isClosing) return;
      const started = await startProcess(dataDir, { flags, env: this.#env }).catch((fault: unknown) => {
        if (tries >= maxTries) throw fault;
        this.failedStarts += 1;
        return undefined;
      });
      if (started !== undefined) {
        this.#running.set(member, started);
        return;
      }
      await sleep(START_PAUSE_MS);
    }
  }
}

function isApi(member: Member): boolean {
  return member.startsWith('api');
}
