// Hiding programs from commands and from the functions that look for them.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { programFolders, programPath } from '#server/testing/programs.ts'
import { localMachine } from '../local-machine.ts'
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
  expect(env['PATH']?.split(delimiter).slice(1)).toEqual([tools, join(folder, 'none')])
  const run = (name: string) => spawnSync(name, { env, encoding: 'utf8' })
  const codeOf = ({ error }: ReturnType<typeof run>) => (error as NodeJS.ErrnoException | undefined)?.code
  expect(['painter', 'painter-more'].map((it) => codeOf(run(it)))).toEqual(['ENOENT', 'ENOENT'])
  expect(['kept', 'other'].map((it) => run(it).stdout)).toEqual(['ran\n', 'ran\n'])
})

test('with PROGRAMS=path, tests and the list of missing programs look on PATH alone', () => {
  vi.stubEnv('PATH', join(folder, 'bin'))
  expect(programFolders()).toContain('/usr/sbin')
  expect(localMachine.has('/')).toBe(true)
  vi.stubEnv('PROGRAMS', 'path')
  expect(programFolders()).toEqual([join(folder, 'bin')])
  expect([programPath('kept'), programPath('nginx')]).toEqual([join(folder, 'bin/kept'), undefined])
  expect([localMachine.has('/'), localMachine.has('kept')]).toEqual([false, true])
})
