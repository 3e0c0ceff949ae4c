// The reasons for surviving mutants refer to lines of the current code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainedBy, readExplanations, type Survivor } from './explained.ts'

const root = join(import.meta.dirname, '../..')
const committed = readExplanations(join(root, 'docs/mutation-explained.json'))

test('every explained line is in its file', () => {
  const lost = Object.entries(committed).flatMap(([file, reasons]) => {
    const lines = new Set(
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .map((it) => it.trim()),
    )
    return reasons.filter((it) => !lines.has(it.line)).map((it) => `${file}: ${it.line}`)
  })
  expect(lost).toEqual([])
})

test('a reason applies to its replacements on its line, and to no killed mutant', () => {
  const explanations = {
    'a.ts': [{ line: 'if (x > 1) return', to: ['x >= 1', 'run( y )'], why: 'both give one' }],
    'b.ts': [{ line: 'default:', why: 'the union is closed' }],
  }
  const source = 'const x = 1\n  if (x > 1) return\n  default:\n'
  const at = (line: number, replacement: string, status = 'Survived'): Survivor => ({
    status,
    replacement,
    location: { start: { line } },
  })
  const reason = (file: string, survivor: Survivor) => explainedBy(explanations, file, source, survivor)
  expect(reason('a.ts', at(2, 'x >= 1'))).toBe('both give one')
  expect(reason('a.ts', at(2, 'run(\n  y\n)', 'NoCoverage'))).toBe('both give one')
  expect(reason('a.ts', at(2, 'x >= 1', 'Killed'))).toBeUndefined()
  expect(reason('a.ts', at(2, 'true'))).toBeUndefined()
  expect(reason('a.ts', at(1, 'x >= 1'))).toBeUndefined()
  expect(reason('c.ts', at(2, 'x >= 1'))).toBeUndefined()
  expect(reason('b.ts', at(3, 'any replacement'))).toBe('the union is closed')
})
