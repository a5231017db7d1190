/** Tests that kill programs and wait on the clock of the machine. `npm test` leaves them out; `.ci/run` runs them. */
import { defineConfig, mergeConfig } from 'vitest/config';
import { SLOW, shared } from './vitest.config.ts';

export default mergeConfig(shared, defineConfig({ test: { include: [SLOW] } }));
