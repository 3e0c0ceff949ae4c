// The limit of source files per folder.
import { expect, test } from 'vitest'
import { MAX_FILES, overfullFolders } from './folder-sizes.ts'

const files = (folder: string, count: number, end = '.ts') =>
  Array.from({ length: count }, (_, index) => `${folder}/file-${index}${end}`)

test('a folder with 26 source files is too full, one with 25 is not', () => {
  expect(overfullFolders([...files('src/ui', MAX_FILES + 1), ...files('src/lib', MAX_FILES)])).toEqual([
    'src/ui: 26 source files, at most 25',
  ])
})

test('tests, other files and files of subfolders do not count', () => {
  const others = [
    ...files('src/ui', MAX_FILES),
    ...files('src/ui', 9, '.test.ts'),
    ...files('src/ui', 9, '.css'),
    ...files('src/ui/fields', 9, '.tsx'),
    ...files('e2e', 90, '.spec.ts'),
  ]
  expect(overfullFolders(others)).toEqual([])
})

test('components count as source files', () => {
  expect(
    overfullFolders([...files('src/ui', 20), ...files('src/ui/', 0), ...files('src/ui', 6, '.tsx')]),
  ).toEqual(['src/ui: 26 source files, at most 25'])
})
