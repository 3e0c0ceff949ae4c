// Where tests look for optional programs.
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { programFolders, programPath } from './programs.ts'

afterEach(() => vi.unstubAllEnvs())

test('a program is found on PATH and where Debian has it; with PROGRAMS=path on PATH alone', () => {
  const folder = path.dirname(process.execPath)
  vi.stubEnv('PATH', folder)
  expect([programFolders().includes('/usr/sbin'), programPath('node')]).toEqual([true, process.execPath])
  vi.stubEnv('PROGRAMS', 'path')
  expect([programFolders(), programPath('node')]).toEqual([[folder], process.execPath])
  vi.stubEnv('PATH', '/nowhere')
  expect(programPath('node')).toBeUndefined()
})
