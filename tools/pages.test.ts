// The list of pages that the build writes, without development pages.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pagesIn } from './pages.ts'

const tree = readFileSync(join(import.meta.dirname, '../src/routeTree.gen.ts'), 'utf8')

test('every page of the route tree is listed', () => {
  const paths = [...tree.matchAll(/^ {4}\| '(\/[^']*)'$/gm)].map((it) =>
    (it[1] ?? '').replace(/(.)\/$/, '$1'),
  )
  const pages = pagesIn(tree)
  expect(paths.length).toBeGreaterThan(40)
  expect(pages).toEqual(expect.arrayContaining(paths.filter((it) => !it.startsWith('/dev/'))))
  expect(pages).toEqual(expect.arrayContaining(['/', '/help', '/post/$id', '/search/result']))
})

test.each(['/dev/ui', '/dev/media'])('the page %s is not listed', (page) => {
  expect(tree).toContain(`'${page}'`)
  expect(pagesIn(tree)).not.toContain(page)
})

test('a tree in another form has no pages', () => {
  expect(pagesIn('export const routeTree = 1')).toEqual([])
})
