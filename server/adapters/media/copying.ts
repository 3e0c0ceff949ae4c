// Lets a media process copy a video's packets within a time limit of its own.
import * as v from 'valibot'
import { type MediaProcess, TimedOut } from './media-process.ts'
import { type CopyAnswer, copyAnswer, type CopyTask } from './task.ts'

/** Time limit of a small file, ms. */
export const COPY_BASE = 10_000
/** A large file has one more second for each of these; disks are expected to be faster. */
const BYTES_PER_SECOND = 4_000_000

/**
 * Requests a process to copy a video's packets. A broken file can make the reader loop forever: after the time limit it
 * is `unreadable`, and the process has ended. ffmpeg may still convert it.
 * @param size size of the file, bytes
 * @param base time limit of a small file, ms
 * @throws when the process ended by itself: the work may be retried
 */
export async function copyWithin(
  child: MediaProcess,
  task: Omit<CopyTask, 'kind'>,
  size: number,
  base: number = COPY_BASE,
): Promise<CopyAnswer> {
  try {
    const { mime, input, output } = task
    const timeout = base + (size / BYTES_PER_SECOND) * 1000
    return v.parse(copyAnswer, await child.request({ kind: 'copy', mime, input, output }, timeout))
  } catch (error) {
    if (error instanceof TimedOut) return { is: 'unreadable' }
    throw error
  }
}
