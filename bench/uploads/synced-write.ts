// Times a write that is on the disk when it returns.
import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { medianOf } from '#bench/rounds/statistics.ts'

/** A first write is slower, and single ones vary. */
const WRITES = 7

/** Writes a new file of noise and syncs it, several times. @returns the median, ms */
export function syncedWrite(folder: string, bytes: number): number {
  const path = join(folder, 'synced')
  const noise = randomFillSync(Buffer.alloc(bytes))
  const times: number[] = []
  for (let n = 0; n < WRITES; n++) {
    const began = performance.now()
    const file = openSync(path, 'w')
    for (let at = 0; at < bytes;) at += writeSync(file, noise, at)
    fsyncSync(file)
    closeSync(file)
    times.push(performance.now() - began)
    rmSync(path)
  }
  return medianOf(times)
}
