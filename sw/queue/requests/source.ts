// Reads the bytes of a stored media piece by piece for tus-js-client.
import type { FileSource } from 'tus-js-client'
import { CHUNK_BYTES, chunksOf } from '#device/files/chunks.ts'
import type { Media } from '#device/database/schema.ts'
import { Ended } from './outcome.ts'
import type { Pace } from '#sw/queue/pace.ts'
import type { QueueStore } from '#sw/queue/ports.ts'

/**
 * Reads pieces out of the stored chunks; waits for a chunk that is still being copied. The next chunk is read ahead
 * while one is being sent.
 * @param pace sizes the pieces
 * @param signal aborts when no more bytes are wanted
 */
export function createSource(
  store: Pick<QueueStore, 'chunk'>,
  media: Pick<Media, 'id' | 'size'>,
  pace: Pick<Pace, 'piece'>,
  signal: AbortSignal,
): FileSource {
  const { id, size } = media
  const readAhead = new Map<number, Promise<Blob | undefined>>()

  function read(index: number): Promise<Blob | undefined> {
    const chunk = readAhead.get(index) ?? store.chunk(id, index, signal)
    readAhead.set(index, chunk)
    // The rejection is thrown where the chunk is awaited, if it ever is.
    chunk.catch(() => undefined)
    return chunk
  }

  return {
    size,
    async slice(start, end) {
      const index = Math.floor(start / CHUNK_BYTES)
      for (const known of readAhead.keys()) if (known < index) readAhead.delete(known)
      // A chunk that was missing when it was read ahead may have been stored since.
      const chunk = (await read(index)) ?? (await store.chunk(id, index, signal))
      if (!chunk) throw new Ended({ is: 'refused', code: 'bytes_missing' })
      if (index + 1 < chunksOf(size)) void read(index + 1)
      // After a cut the server's offset may be inside a chunk: a piece never crosses a chunk's end.
      const from = start - index * CHUNK_BYTES
      const value = chunk.slice(from, Math.min(from + pace.piece(), end - index * CHUNK_BYTES))
      return { value, done: start + value.size >= size }
    },
    close() {},
  }
}
