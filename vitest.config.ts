import { defineConfig } from 'vitest/config';

/** Real programs with deadlines of their own: beside other files on a small machine they would not keep them. */
const oneByOne = ['test/network/probe/tools.test.ts'];

/** One project per level of tests; `npm test` runs them all, in this order. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/contract/**', 'test/e2e/**', 'test/cluster/**', 'node_modules/**', ...oneByOne],
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts', 'test/cluster/**/*.test.ts', ...oneByOne],
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
