import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['server/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Nothing in the program is a global that a test could spoil for the next file, and loading it 250 times takes minutes.
    isolate: false,
    // Only a test that hangs should come to these: a machine may be ten times as busy as ours.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
