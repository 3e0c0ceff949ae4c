// docs/sbom.cdx.json matches package-lock.json.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readLock, SBOM, sbomOf } from './sbom.ts'

interface Bom {
  components: { name: string; version: string; scope: string; hashes: { content: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const text = readFileSync(SBOM, 'utf8')
const bom = JSON.parse(text) as Bom

test('docs/sbom.cdx.json is the output of `npm run sbom` for the lock', () => {
  expect(text === sbomOf(readLock())).toBe(true)
})

test('the SBOM has deployed and development packages, with hashes', () => {
  const of = (name: string) => bom.components.find((it) => it.name === name)
  expect([of('react')?.scope, of('fastify')?.scope, of('vitest')?.scope]).toEqual([
    'required',
    'required',
    'excluded',
  ])
  // A bundled package has no hash in the lock.
  const bare = bom.components.filter((it) => it.scope === 'required' && it.hashes.length === 0)
  expect(bare.map((it) => it.name)).toEqual([])
})

test('every dependency in the SBOM is one of its components', () => {
  const known = new Set(bom.components.map((it) => `${it.name}@${it.version}`))
  expect(bom.dependencies.flatMap((it) => it.dependsOn).filter((it) => !known.has(it))).toEqual([])
  expect(bom.dependencies[0]?.dependsOn).toContain(
    `react@${bom.components.find((it) => it.name === 'react')?.version}`,
  )
})

test('the SBOM contains no URL and no time', () => {
  expect(text).not.toMatch(/https?:|timestamp|serialNumber/)
})

test('a nested package is resolved for its neighbours', () => {
  const packages = {
    '': { version: '1.0.0', dependencies: { a: '*', b: '*' } },
    'node_modules/a': { version: '1.0.0', dependencies: { b: '*' } },
    'node_modules/a/node_modules/b': { version: '2.0.0' },
    'node_modules/b': { version: '1.0.0' },
  }
  const { dependencies } = JSON.parse(sbomOf({ name: 'x', packages })) as Bom
  expect(dependencies.slice(0, 2)).toEqual([
    { ref: 'x@1.0.0', dependsOn: ['a@1.0.0', 'b@1.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['b@2.0.0'] },
  ])
})
