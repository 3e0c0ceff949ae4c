// The folder of a run's temporary files.
import { expect, test } from 'vitest'
import { hasRoom } from './temporary-folder.ts'

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
