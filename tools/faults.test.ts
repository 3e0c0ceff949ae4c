// The planted faults fit the current code, into which `npm run faults` inserts them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allFaults } from './faults/all.ts'

const project = join(import.meta.dirname, '..')

test('the text that each planted fault replaces is in its file exactly once', () => {
  const misfits = allFaults.filter(({ file, find }) => {
    const path = join(project, file)
    return !existsSync(path) || readFileSync(path, 'utf8').split(find).length !== 2
  })
  expect(misfits.map((it) => `${it.file}: ${it.name}`)).toEqual([])
})

test('each planted fault changes the text, has existing tests and a unique name', () => {
  const names = allFaults.map((it) => it.name)
  expect(names.filter((it, i) => names.indexOf(it) !== i)).toEqual([])
  expect(allFaults.filter((it) => it.find === it.replace).map((it) => it.name)).toEqual([])
  const tests = new Set(allFaults.flatMap((it) => it.tests))
  expect([...tests].filter((it) => !existsSync(join(project, it)))).toEqual([])
})

test('the test that must fail for a planted fault is in one of its test files', () => {
  const unknown = allFaults.filter(
    ({ tests, caughtBy }) => !tests.some((it) => readFileSync(join(project, it), 'utf8').includes(caughtBy)),
  )
  expect(unknown.map((it) => `${it.name}: ${it.caughtBy}`)).toEqual([])
})
