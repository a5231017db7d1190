/** What a run of many seeds comes to, for the summary and the results file. */
import { cpus } from 'node:os';
import type { SeedResult } from './run-seed.ts';
import type { Counts } from './world.ts';

export interface FoundViolation {
  readonly seed: number;
  readonly invariant: string;
  readonly what: string;
}

export class Totals {
  readonly #counts: Counts = {
    ...{ transactions: 0, calls: 0, faults: 0, crashes: 0, jumps: 0, providerCalls: 0 },
  };
  readonly violations: FoundViolation[] = [];
  seeds = 0;
  #simulatedMs = 0;
  #tookMs = 0;
  #statements = 0;

  add(result: SeedResult): void {
    this.seeds += 1;
    this.#simulatedMs += result.simulatedMs;
    this.#tookMs += result.tookMs;
    this.#statements += result.statements;
    for (const name of Object.keys(this.#counts) as (keyof Counts)[]) this.#counts[name] += result.counts[name];
    for (const { invariant, what } of result.violations) this.violations.push({ seed: result.seed, invariant, what });
  }

  /** Rounded as far as it means anything. */
  summary() {
    const minutes = this.#tookMs / 60_000;
    const days = this.#simulatedMs / 86_400_000;
    return {
      seeds: this.seeds,
      violations: this.violations,
      ...this.#counts,
      statements: this.#statements,
      simulatedDays: Math.round(days * 10) / 10,
      minutes: Math.round(minutes * 100) / 100,
      simulatedDaysPerMinute: Math.round((days / minutes) * 10) / 10,
      transactionsPerMinute: Math.round(this.#counts.transactions / minutes),
      node: process.version,
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
    };
  }
}
