// The first half of a video's work: its packets are copied within a time of their own.
import * as v from 'valibot'
import { type MediaProcess, TooLate } from './media-process.ts'
import { type CopyAnswer, copyAnswer, type CopyTask } from './task.ts'

/** Time that a file of any size has, ms. */
export const COPY_BASE = 10_000
/** A large file has one second more for each of these; disks are not expected to be slower. */
const BYTES_PER_SECOND = 4_000_000

/**
 * Asks a process to copy a video's packets. A broken file can hold the reader forever: it is `unreadable` then and the
 * process has ended. ffmpeg may still convert it.
 * @param size of the file, bytes
 * @param base time that a file of any size has, ms
 * @throws when the process ended by itself: the work may be tried again
 */
export async function copyWithin(
  child: MediaProcess,
  task: Omit<CopyTask, 'kind'>,
  size: number,
  base: number = COPY_BASE,
): Promise<CopyAnswer> {
  try {
    const { mime, input, output } = task
    const patience = base + (size / BYTES_PER_SECOND) * 1000
    return v.parse(copyAnswer, await child.ask({ kind: 'copy', mime, input, output }, patience))
  } catch (error) {
    if (error instanceof TooLate) return { is: 'unreadable' }
    throw error
  }
}
