// The order of unit test files.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { early, placeOf } from './order.ts'

const root = join(import.meta.dirname, '../..')

test('every file that starts early exists', () => {
  const files = early.filter((it) => it.endsWith('.ts'))
  expect(files.filter((it) => !existsSync(join(root, it)))).toEqual([])
})

test('long files start first, and the tests on an object store after the file that starts it', () => {
  const files = [
    ['unit', 'server/rules/age.test.ts'],
    ['unit-long', 'server/two-versions.long.test.ts'],
    ['unit-s3', 'server/modules/posts/chunks.test.ts'],
    ['unit', 'server/main.test.ts'],
    ['unit-pages', 'src/domain/posts/cached-reads.page.test.ts'],
    ['unit', 'server/adapters/files/object-store.test.ts'],
    ['unit-servers', 'server/modules/media/access-table.test.ts'],
  ] as const
  const sorted = files.toSorted((a, b) => placeOf(a[0], `/clone/${a[1]}`) - placeOf(b[0], `/clone/${b[1]}`))
  expect(sorted.map(([project, file]) => `${project} ${file}`)).toEqual([
    'unit-servers server/modules/media/access-table.test.ts',
    'unit server/adapters/files/object-store.test.ts',
    'unit server/main.test.ts',
    'unit-s3 server/modules/posts/chunks.test.ts',
    'unit-long server/two-versions.long.test.ts',
    'unit server/rules/age.test.ts',
    'unit-pages src/domain/posts/cached-reads.page.test.ts',
  ])
})
