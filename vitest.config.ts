import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';

/** Run by `npm run slow` (vitest.slow.config.ts). */
export const SLOW = 'test/*/slow/*.test.ts';

export const shared = defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Nothing in the program is a global that a test could spoil for the next file, and loading it 250 times takes
    // minutes.
    isolate: false,
    // Only a test that hangs should come to these: a machine may be ten times as busy as ours.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['server/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
      exclude: [...configDefaults.exclude, SLOW],
    },
  }),
);
