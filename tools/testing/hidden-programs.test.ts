// Hiding programs from the commands that look for them.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { environmentWithout } from './hidden-programs.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'todoke-hidden-'))
  for (const it of ['bin', 'tools', 'links']) mkdirSync(join(folder, it))
  for (const it of ['bin/painter', 'bin/painter-more', 'bin/kept', 'tools/other']) {
    writeFileSync(join(folder, it), '#!/bin/sh\necho ran')
    chmodSync(join(folder, it), 0o755)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

test('hidden commands are not found, and all others of their folders and of other folders are', () => {
  const [bin, tools] = [join(folder, 'bin'), join(folder, 'tools')]
  vi.stubEnv('PATH', [bin, tools, join(folder, 'none')].join(delimiter))
  vi.stubEnv('PG_BIN', '/opt/postgresql/bin')
  const env = environmentWithout(['painter*'], join(folder, 'links'))
  expect([env['PROGRAMS'], 'PG_BIN' in env, env['PG_BIN']]).toEqual(['path', true, undefined])
  expect(env['PATH']?.split(delimiter).slice(1, 3)).toEqual([tools, join(folder, 'none')])
  const run = (name: string) => spawnSync(name, { env, encoding: 'utf8' })
  for (const it of ['painter', 'painter-more']) expect(run(it).error).toMatchObject({ code: 'ENOENT' })
  expect(['kept', 'other'].map((it) => run(it).stdout)).toEqual(['ran\n', 'ran\n'])
})
