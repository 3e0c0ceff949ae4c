// The folder of a run's temporary files.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasRoom, removeEarlier } from './temporary-folder.ts'

const GIB = 2 ** 30
const [tmpfs, ext4] = [0x0102_1994, 0xef53]

test.each([
  { type: tmpfs, free: 10 * GIB, memory: 10 * GIB, is: true },
  { type: tmpfs, free: 64 * 2 ** 20, memory: 20 * GIB, is: false },
  { type: tmpfs, free: 10 * GIB, memory: 9 * GIB, is: false },
  { type: ext4, free: 100 * GIB, memory: 20 * GIB, is: false },
])('a file system of type $type with $free bytes, and $memory bytes of memory: $is', (it) => {
  expect(hasRoom(it, it.memory)).toBe(it.is)
})

test('folders of runs that have ended are removed, and no others', () => {
  const parent = mkdtempSync(join(tmpdir(), 'todoke-earlier-'))
  // No process has a number above the kernel's limit of 4,194,304.
  const names = [
    'todoke-run-1-a',
    `todoke-run-${process.pid}-b`,
    'todoke-run-4194305-c',
    'of-another-program',
  ]
  for (const it of names) mkdirSync(join(parent, it, 'inner'), { recursive: true })
  removeEarlier(parent)
  expect(readdirSync(parent).toSorted()).toEqual(['of-another-program', 'todoke-run-1-a'])
  rmSync(parent, { recursive: true })
})
