// The sentence for commands that run on another Node than the project's.
import { expect, test } from 'vitest'
import { refusalOf } from './node-version.ts'

test.each(['24.9.0', '24.21.0', '26.0.0'])('Node %s runs', (version) => {
  expect(refusalOf(version, '^24.9.0')).toBeUndefined()
})

test.each(['20.20.2', '22.18.0', '24.8.1'])('Node %s is refused with one sentence', (version) => {
  expect(refusalOf(version, '^24.9.0')).toBe(
    `This needs Node 24.9 or newer, and ${version} runs it: use npx or an npm script, which take the Node of node_modules.`,
  )
})
