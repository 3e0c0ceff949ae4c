// When bytes of a part count that arrive slowly.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PART_BYTES } from '#contract/uploads/parts.ts'
import { createDiskPartBytes } from './part-bytes.ts'
import type { DiskRoom } from './disk-room.ts'
import { noParts, type UploadParts } from './upload-parts.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'part-bytes-'))
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const room: DiskRoom = {
  isLow: async () => false,
  fits: async () => true,
  mustHave: async () => {},
  floor: 0,
  figures: async () => undefined,
}

/** Writes the second part, whose pieces arrive 1,200 ms after each other. @returns how many bytes counted when each piece arrived */
async function writeSlowly(isChecked: boolean): Promise<{ counted: number[]; size: number }> {
  let counts = 0
  const rows: UploadParts = {
    ...noParts,
    number: async () => true,
    keep: async (_id, _storeId, part) => {
      counts = part.size
      return true
    },
  }
  const bytes = createDiskPartBytes(folder, room, rows)
  await bytes.number('a')
  const counted: number[] = []
  async function* pieces() {
    for (let n = 0; n < 4; n++) {
      counted.push(counts)
      vi.setSystemTime(Date.now() + 1200)
      yield [Buffer.alloc(100)]
    }
  }
  const size = await bytes.write({ id: 'a', no: 2, size: PART_BYTES }, 0, { pieces: pieces(), isChecked })
  expect(counts).toBe(size)
  return { counted, size }
}

test('bytes of a slow body count after two seconds, so that a server that is killed loses no more of them', async () => {
  expect(await writeSlowly(false)).toEqual({ counted: [0, 0, 200, 200], size: 400 })
})

test('no byte of a body with a digest counts before its end', async () => {
  expect(await writeSlowly(true)).toEqual({ counted: [0, 0, 0, 0], size: 400 })
})
