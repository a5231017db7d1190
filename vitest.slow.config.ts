/**
 * Tests that kill programs, wait on the clock of the machine, or run whole seeds of the simulation again and again.
 * `npm test` leaves them out; `.ci/run` runs them.
 */
import { defineConfig, mergeConfig } from 'vitest/config';
import { SLOW, shared } from './vitest.config.ts';

export default mergeConfig(shared, defineConfig({ test: { include: [SLOW] } }));
