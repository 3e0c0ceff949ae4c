// Direct resolution names the same modules as Node's own.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const program = `
  const { resolveDirectly } = await import('#server/module-resolution.ts')
  const names = ['#contract/ids.ts', './server/app.ts', 'fastify', 'drizzle-orm/pg-core', 'node:fs', 'no-such-package']
  const resolved = () => names.map((it) => { try { return import.meta.resolve(it) } catch (error) { return error.code } })
  const own = resolved()
  resolveDirectly()
  const { sql } = await import('drizzle-orm')
  console.log(JSON.stringify([own, resolved(), resolved(), typeof sql]))`

test('files of the project, packages, built-in modules and missing ones are resolved as by Node itself', () => {
  const args = ['--input-type=module', '--eval', program]
  const [own, first, repeated, sql] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  expect(own.at(-1)).toBe('ERR_MODULE_NOT_FOUND')
  expect(first).toEqual(own)
  expect(repeated).toEqual(own)
  expect(sql).toBe('function')
})
