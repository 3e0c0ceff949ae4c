// Which unit tests run with hidden programs.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesThatUse, starts } from './bare-units.ts'
import { programs } from './machine.ts'

const root = join(import.meta.dirname, '..')
const ofUnits = programs.filter((it) => it.commands !== undefined)
const files = filesThatUse(ofUnits, starts)

test('they ask for a program, decode media, or start the server as a process; and no long one is among them', () => {
  expect(files).toContain('server/adapters/media/formats.test.ts')
  expect(files).toContain('server/modules/messages/media.test.ts')
  expect(files).toContain('server/modules/media/hls.test.ts')
  expect(files).toContain('server/main.test.ts')
  expect(files).not.toContain('server/modules/payments/effects.test.ts')
  expect(files).not.toContain('server/rules/age.test.ts')
  expect(files.filter((it) => it.includes('.long.'))).toEqual([])
})

test('each function that says whether a program is here is known as a sign of its use', () => {
  const helpers = globSync('server/testing/**/*.ts', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/export (?:const|function) ([a-z]+(?<!is)(?:Available|Installed))\b/gi)].map(
      (it) => it[1],
    )
  })
  const ofDeepTests = ['bareDebianAvailable', 'containersAvailable']
  const unknown = helpers.filter((it) => !ofUnits.some(({ asked }) => asked?.test(`${it}(`)))
  expect(unknown.toSorted()).toEqual(ofDeepTests)
})

test('each program that unit tests ask for has the commands that hide it', () => {
  expect(programs.filter((it) => (it.asked === undefined) !== (it.commands === undefined))).toEqual([])
})
