// The order of unit test files.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longFiles, placeOf } from './order.ts'

const root = join(import.meta.dirname, '../..')

test('every file that starts early exists', () => {
  expect(longFiles.filter((it) => !existsSync(join(root, it)))).toEqual([])
})

test('small projects start first, then long files, then all others', () => {
  const files = [
    ['unit', 'server/rules/age.test.ts'],
    ['unit', 'server/main.test.ts'],
    ['unit-pages', 'src/domain/posts/cached-reads.page.test.ts'],
    ['unit-s3', 'server/modules/posts/chunks.test.ts'],
    ['unit-servers', 'server/modules/media/access-table.test.ts'],
  ] as const
  const sorted = files.toSorted((a, b) => placeOf(a[0], `/clone/${a[1]}`) - placeOf(b[0], `/clone/${b[1]}`))
  expect(sorted.map(([project, file]) => `${project} ${file}`)).toEqual([
    'unit-servers server/modules/media/access-table.test.ts',
    'unit-s3 server/modules/posts/chunks.test.ts',
    'unit server/main.test.ts',
    'unit server/rules/age.test.ts',
    'unit-pages src/domain/posts/cached-reads.page.test.ts',
  ])
})
