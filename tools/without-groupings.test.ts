// Groupings are removed from routes, and nothing else is.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withoutGroupings } from './without-groupings.ts'

test('a route stays without its groupings', () => {
  const route = readFileSync(new URL('../src/routes/administration.tsx', import.meta.url), 'utf8')
  const built = withoutGroupings(route)
  expect(built).not.toContain('codeSplitGroupings')
  const line = route.split('\n').find((it) => it.includes('codeSplitGroupings')) ?? ''
  expect(built).toBe(route.replace(line.trim(), ''))
})

test('groupings on several lines are removed too, and other arrays stay', () => {
  const code = `a({ codeSplitGroupings: [\n  ['loader', 'component'],\n  ['x'],\n], list: [['y']], b: [] })`
  expect(withoutGroupings(code)).toBe(`a({  list: [['y']], b: [] })`)
  expect(withoutGroupings('const x = [[1], [2]]')).toBe('const x = [[1], [2]]')
})
