// Each row of docs/losses.md names tests, and planted faults that make one of them fail.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allFaults } from './faults/all.ts'

const project = join(import.meta.dirname, '..')
const rows = readFileSync(join(project, 'docs/losses.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]\d? \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** Texts in backticks of a cell. */
const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

test('every loss has a row, with a test and a planted fault, or why there is none', () => {
  expect(rows.map(([, letter]) => letter?.charAt(0)).join('')).toMatch(/^A+B+CDEFGHIJKL+M+N+$/)
  for (const [, letter, , , tests, faults] of rows)
    expect([
      letter,
      namesIn(tests).length,
      faults?.startsWith('none: ') || namesIn(faults).length,
    ]).not.toContain(0)
})

test('the tests of a loss exist, and each of its planted faults makes one of them fail', () => {
  for (const [, letter, , , tests, faults] of rows) {
    const named = namesIn(tests)
    expect(named.filter((it) => !existsSync(join(project, it)))).toEqual([])
    for (const name of namesIn(faults)) {
      const fault = allFaults.find((it) => it.name === name)
      const failing = fault?.tests.filter((it) => named.includes(it)) ?? []
      expect(failing, `${letter}: ${name}: ${fault?.tests.join()}`).not.toEqual([])
    }
  }
})
