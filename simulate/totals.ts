/** What a run of many seeds comes to, for the summary and the results file. A run that is resumed goes on counting. */
import { cpus } from 'node:os';
import type { SeedReport } from './report.ts';
import { type SeedRange, SeedRanges } from './seed-ranges.ts';
import type { Counts } from './world.ts';

interface FoundViolation {
  readonly seed: number;
  readonly invariant: string;
  readonly what: string;
}

/** As it is written down. */
export interface Summary extends Counts {
  readonly seeds: number;
  readonly ranges: readonly SeedRange[];
  readonly violations: readonly FoundViolation[];
  readonly statements: number;
  readonly simulatedDays: number;
  readonly processorSeconds: number;
  readonly simulatedDaysPerProcessorMinute: number;
  readonly transactionsPerProcessorMinute: number;
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
}

const DAY_MS = 86_400_000;

export class Totals {
  readonly violations: FoundViolation[];
  readonly done: SeedRanges;
  readonly #counts: Counts;
  #seeds: number;
  #simulatedMs: number;
  #processorMs: number;
  #statements: number;

  /** Goes on where another run stopped. */
  constructor(before?: Summary) {
    const {
      transactions = 0,
      calls = 0,
      faults = 0,
      crashes = 0,
      jumps = 0,
      sleeps = 0,
      providerCalls = 0,
    } = before ?? {};
    this.#counts = { transactions, calls, faults, crashes, jumps, sleeps, providerCalls };
    this.violations = [...(before?.violations ?? [])];
    this.done = new SeedRanges(before?.ranges);
    this.#seeds = before?.seeds ?? 0;
    this.#simulatedMs = (before?.simulatedDays ?? 0) * DAY_MS;
    this.#processorMs = (before?.processorSeconds ?? 0) * 1_000;
    this.#statements = before?.statements ?? 0;
  }

  add({ seed, counts, simulatedMs, processorMs, statements, violations }: SeedReport): void {
    this.#seeds += 1;
    this.done.add(seed);
    this.#simulatedMs += simulatedMs;
    this.#processorMs += processorMs;
    this.#statements += statements;
    for (const name of Object.keys(this.#counts) as (keyof Counts)[]) this.#counts[name] += counts[name];
    for (const { invariant, what } of violations) this.violations.push({ seed, invariant, what });
  }

  /** Rounded as far as it means anything. Of the processor: of one core, however many jobs there were. */
  summary(): Summary {
    const minutes = this.#processorMs / 60_000;
    const days = this.#simulatedMs / DAY_MS;
    return {
      seeds: this.#seeds,
      ranges: this.done.all(),
      violations: this.violations,
      ...this.#counts,
      statements: this.#statements,
      simulatedDays: Math.round(days * 10) / 10,
      processorSeconds: Math.round(this.#processorMs / 100) / 10,
      simulatedDaysPerProcessorMinute: Math.round((days / minutes) * 10) / 10,
      transactionsPerProcessorMinute: Math.round(this.#counts.transactions / minutes),
      date: new Date().toISOString().slice(0, 'yyyy-mm-dd'.length),
      node: process.version,
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
    };
  }
}
