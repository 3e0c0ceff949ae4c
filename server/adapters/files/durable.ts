// Writes to a disk that survive a power cut.
import { constants, createReadStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import path from 'node:path'

/** Bytes that are read at once. */
const PIECE = 1024 * 1024

/** Syncs a file, then its folder: both are needed for the file to survive a power cut. */
export async function syncFile(file: string): Promise<void> {
  for (const it of [file, path.dirname(file)]) {
    const handle = await open(it, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

/** Moves a written file to its place; durable when it returns. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFile(to)
}

/** Writes a file's bytes at an offset of another, which then ends with them; durable when it returns. */
export async function placeDurably(from: string, to: string, offset: number): Promise<void> {
  const target = await open(to, constants.O_RDWR | constants.O_CREAT)
  try {
    await target.truncate(offset)
    let end = offset
    for await (const part of createReadStream(from, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
      for (let rest = part; rest.length > 0;) {
        const { bytesWritten } = await target.write(rest, 0, rest.length, end)
        end += bytesWritten
        rest = rest.subarray(bytesWritten)
      }
    }
  } finally {
    await target.close()
  }
  await syncFile(to)
}
