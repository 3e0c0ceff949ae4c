// The unit tests that mutation testing runs: those of one area (`tools/mutate.ts`).
import { configDefaults, defineConfig } from 'vitest/config'
import { freshStatements } from './tools/mutation/fresh-statements.ts'
import { keptPool } from './tools/mutation/kept-worker.ts'

const include = (process.env['MUTATION_TESTS'] ?? '').split('|').filter(Boolean)

export default defineConfig({
  plugins: [keptPool, freshStatements],
  test: {
    include,
    // These need a worker of their own, and files of one worker share what they import here.
    exclude: [...configDefaults.exclude, '**/*.page.test.ts'],
    ...(process.env['MUTATION_DATABASE'] === '1' ? { globalSetup: 'server/testing/cluster.ts' } : {}),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A mutant's tests share what they import, in a worker of their own.
    isolate: false,
    // Tests that measure time fail by themselves beside a run that takes all processors; planted faults replace texts
    // of files that mutation testing has rewritten.
    testNamePattern: /^(?!.*(in less than two seconds|a planted fault))/,
  },
})
