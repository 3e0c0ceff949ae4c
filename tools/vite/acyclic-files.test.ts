// Circles among the files of a build: direct, through others, and none.
import { expect, test } from 'vitest'
import { circleIn } from './acyclic-files.ts'

const filesOf = (imports: Record<string, string[]>) => circleIn(new Map(Object.entries(imports)))

test.each([
  ['two files', { a: ['b'], b: ['a'] }, ['a', 'b']],
  ['three files, after another one', { a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, ['b', 'c', 'd']],
  ['a file with itself', { a: ['a'] }, ['a']],
])('a circle of %s is found', (_, imports, circle) => {
  expect(filesOf(imports)).toEqual(circle)
})

test('files that share one are no circle, nor is one that the build does not have', () => {
  expect(filesOf({ a: ['b', 'c'], b: ['d'], c: ['d', 'elsewhere'], d: [] })).toBeUndefined()
})
