import { defineConfig } from 'vitest/config';

/** One project per level of tests; `npm test` runs them all, in this order. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/contract/**', 'test/e2e/**', 'test/cluster/**', 'node_modules/**'],
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts', 'test/cluster/**/*.test.ts'],
          globalSetup: ['test/contract/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
