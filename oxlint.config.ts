// Lint: what is wrong or suspicious is an error; style is the formatter's business. Own rules stand in tools/lint.
import { defineConfig } from 'oxlint'

const isWhole = process.env['LINT'] === 'whole'
/** Tests and stories, with their helpers. */
const testsAndHelpers = [
  '{contract,device,sw,src,server,tools,bench}/**/{*.test.ts,testing/**/*.ts}',
  'e2e/**/*.ts',
]
/** Tests, and programs that only developers run. */
const tested = [
  '**/*.test.ts',
  '**/*.deep.ts',
  '**/*.sim.ts',
  'sw/sim/**/*.ts',
  'e2e/**/*.ts',
  'tools/**/*.ts',
]

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'vitest'],
  jsPlugins: ['./tools/lint/house.ts'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: ['dist', 'data', 'node_modules', 'src/routeTree.gen.ts', 'server/store/migrations'],
  rules: {
    'house/imports': 'error',
    'house/extensions': 'error',
    'house/purpose': 'error',
    'house/linear-regexp': 'error',
    'house/no-built-regexp': 'error',
    'house/retired-words': 'error',
    'house/provider-words': 'error',
    'house/function-length': 'error',
    'house/unit-of-work': 'error',
    'house/no-removal-in-catch': 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/no-unassigned-import': [
      'error',
      { allow: ['**/*.css', 'fake-indexeddb/auto', './tools/testing/node-version.ts'] },
    ],
    'max-lines': ['error', { max: 280 }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'no-restricted-imports': [
      'error',
      {
        paths: [
          {
            name: 'react',
            importNames: ['useSyncExternalStore'],
            message: 'values outside React are stores, followed by useStore (src/lib/store.ts)',
          },
        ],
      },
    ],
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'vitest/no-focused-tests': 'error',
    'unicorn/filename-case': 'off',

    // Order is the point of most of our loops: chunks, migrations, retries.
    'no-await-in-loop': 'off',
    // The JSX transform imports React by itself.
    'react/react-in-jsx-scope': 'off',
    // Workers, ports and clients have no target origin.
    'unicorn/require-post-message-target-origin': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-underscore-dangle': 'off',
    // What storage and libraries hand over is parsed, then named; naming is an assertion.
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-unnecessary-type-arguments': 'off',
    // A driver's rows are not always what its types say: counts are text on one of our databases.
    'typescript/no-unnecessary-type-conversion': 'off',
    'typescript/no-generated-empty-object-type': 'off',
    'typescript/unbound-method': 'off',
    // The compiler's noImplicitReturns knows what never returns.
    'typescript/consistent-return': 'off',
    'import/no-named-as-default-member': 'off',
    'oxc/no-map-spread': 'off',
    'unicorn/no-array-sort': 'off',
    'react/jsx-no-constructed-context-values': 'off',
    // Does not see the labels of composed controls; axe does, on every page.
    'jsx-a11y/control-has-associated-label': 'off',
  },
  overrides: [
    {
      files: [
        '*.config.ts',
        '.size-limit.ts',
        'e2e/rig/global-setup.ts',
        'tools/lint/house.ts',
        'bench/**/vite.config.ts',
        'tools/runs/set-up.ts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['server/rules/**/*.ts'],
      rules: {
        'house/no-clock': 'error',
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'rules take the time as a value' },
          { object: 'Math', property: 'random', message: 'rules are pure' },
        ],
        'no-restricted-globals': [
          'error',
          'performance',
          'setTimeout',
          'setInterval',
          'setImmediate',
          'process',
          'fetch',
          'crypto',
        ],
      },
    },
    {
      files: ['sw/**/*.ts'],
      rules: {
        'no-restricted-globals': [
          'error',
          ...['self', 'globalThis', 'clients', 'registration', 'skipWaiting', 'addEventListener'].map(
            (name) => ({
              name,
              message: 'only sw/main.ts touches the worker; take what you need as a port',
            }),
          ),
        ],
      },
    },
    { files: ['src/lib/store.ts'], rules: { 'no-restricted-imports': 'off' } },
    { files: ['sw/main.ts'], rules: { 'no-restricted-globals': 'off' } },
    {
      // Only the project's own text reaches these expressions, and the analysis of one takes up to four seconds. `npm run
      // test:deep -- lint` analyses them too.
      files: [...tested, 'bench/**/*.ts', 'server/testing/**/*.ts', '*.config.ts'],
      rules: { ...(isWhole ? {} : { 'house/linear-regexp': 'off' }), 'house/no-built-regexp': 'off' },
    },
    {
      files: ['e2e/**/*.spec.ts'],
      rules: {
        'house/story-absence': 'error',
        'house/story-keys': 'error',
        'house/story-leaving': 'error',
        'house/story-loading': 'error',
        'house/story-regions': 'error',
        'house/story-values': 'error',
      },
    },
    { files: ['e2e/**/*.ts'], rules: { 'house/one-deadline-in-stories': 'error' } },
    {
      files: testsAndHelpers,
      rules: { 'house/no-sleep-in-tests': 'error', 'house/no-empty-default-in-tests': 'error' },
    },
    {
      files: [...tested],
      rules: {
        'max-lines': 'off',
        'no-restricted-globals': 'off',
        'typescript/no-base-to-string': 'off',
        'typescript/require-array-sort-compare': 'off',
        'vitest/no-conditional-expect': 'off',
        'vitest/no-standalone-expect': 'off',
      },
    },
  ],
})
