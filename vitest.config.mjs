import { defineConfig } from 'vitest/config';

// Two projects, since tests on a real engine share one machine and must not crowd each other out.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'core',
          include: ['test/core/**/*.test.ts', 'test/language/**/*.test.ts', 'test/protocol/**/*.test.ts'],
          environment: 'node',
          // Whole conformance files and property tests, on machines that do other work meanwhile.
          testTimeout: 30_000,
        },
      },
      {
        test: { name: 'package', include: ['test/package/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
      {
        test: {
          name: 'engine',
          include: ['test/engine/**/*.test.ts', 'test/cli/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
