// The form of docs/conformance.md: its rows, the files in them, and its totals.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const text = readFileSync(join(root, 'docs/conformance.md'), 'utf8')

const rows = text
  .split('\n')
  .filter((it) => /^\| \d/.test(it))
  .map((line) => {
    const [, number = '', statement = '', code = '', tests = '', status = ''] = line
      .split(/(?<!\\)\|/)
      .map((it) => it.trim())
    return { number, statement, code, tests, status }
  })

const filesIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)]
    .map((it) => it[1] ?? '')
    .filter((it) => it.slice(1).includes('/') && /\.\w+$/.test(it))

test('every section from 1 to 9 has its table', () => {
  expect([...new Set(rows.map((it) => it.number.split('.')[0]))]).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
  ])
})

test('every row is done, differs, partly or open', () => {
  expect(rows.filter((it) => !['done', 'differs', 'partly', 'open'].includes(it.status))).toEqual([])
})

test('every file that a row names exists', () => {
  const missing = rows.flatMap((it) =>
    filesIn(it.code + it.tests)
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `${it.number} ${file}`),
  )
  expect(missing).toEqual([])
})

test('a row that is done or differs names code and tests, a partly row names code, an open row neither', () => {
  const wrong = rows.filter(({ code, tests, status }) => {
    const codeCount = filesIn(code).length
    const testCount = filesIn(tests).length
    if (status === 'done' || status === 'differs') return codeCount === 0 || testCount === 0
    if (status === 'partly') return codeCount === 0
    return codeCount + testCount > 0
  })
  expect(wrong).toEqual([])
})

test('the totals at the top are the totals of the rows', () => {
  const count = (status: string): number => rows.filter((it) => it.status === status).length
  expect(text).toContain(
    `\n${count('done')} done, ${count('differs')} differs, ${count('partly')} partly, ${count('open')} open.\n`,
  )
})
