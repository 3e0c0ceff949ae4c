// The built app has no summaries of endpoints.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { withoutGroupings, withoutSummaries } from './without-summaries.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../contract', name), 'utf8')

test.each(['posts/posts.ts', 'people/people.ts', 'payments/payments.ts'])(
  'every endpoint of %s has a summary before, an empty one after, and nothing else differs',
  (name) => {
    const [before, after] = [read(name), withoutSummaries(read(name))]
    const count = before.split('endpoint({').length - 1
    expect(before.split("summary: '").length - 1).toBe(count)
    expect(after.split("summary: '',").length - 1).toBe(count)
    const rest = (code: string) => code.split('\n').filter((line) => !line.includes('summary: '))
    expect(rest(after)).toEqual(rest(before))
  },
)

test('a route stays without its groupings', () => {
  const route = readFileSync(new URL('../../src/routes/administration.tsx', import.meta.url), 'utf8')
  const built = withoutGroupings(route)
  expect(built).not.toContain('codeSplitGroupings')
  const line = defined(route.split('\n').find((it) => it.includes('codeSplitGroupings')))
  expect(built).toBe(route.replace(line.trim(), ''))
})

test('groupings on several lines are removed too, and other arrays stay', () => {
  const code = `a({ codeSplitGroupings: [\n  ['loader', 'component'],\n  ['x'],\n], list: [['y']], b: [] })`
  expect(withoutGroupings(code)).toBe(`a({  list: [['y']], b: [] })`)
  expect(withoutGroupings('const x = [[1], [2]]')).toBe('const x = [[1], [2]]')
})
