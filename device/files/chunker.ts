// Cuts a picked file into chunks, each with its SHA-256.
import type { ByteForm } from './byte-form.ts'
import { CHUNK_BYTES } from './chunks.ts'

export interface HashedChunk {
  readonly size: number
  readonly sha256: Uint8Array<ArrayBuffer>
  readonly bytes: Blob | ArrayBuffer
}

/**
 * Returns a function that cuts one chunk at a time. Where slices are stored as they are, their bytes are only hashed, all
 * through one buffer of 5 MiB: browsers collect a hundred buffers of that size late.
 * @param until aborts when no more chunks are cut: the file is then closed
 */
export function createChunker(
  file: Blob,
  form: ByteForm,
  until?: AbortSignal,
): (index: number) => Promise<HashedChunk> {
  const reading = readInOrder(file)
  until?.addEventListener('abort', () => reading.close(), { once: true })
  return async (index) => {
    const slice = file.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
    if (form !== 'blob') {
      const bytes = await slice.arrayBuffer()
      const stored = form === 'copy' ? new Blob([bytes]) : bytes
      return { size: bytes.byteLength, sha256: await sha256(bytes), bytes: stored }
    }
    const filled = await reading.read(index * CHUNK_BYTES, slice.size)
    // An engine without such readers, or a deleted file: reading the slice whole works, or fails with the reason.
    const bytes = filled ?? new Uint8Array(await slice.arrayBuffer())
    const cut = { size: bytes.byteLength, sha256: await sha256(bytes), bytes: slice }
    if (filled) reading.reuse(filled)
    return cut
  }
}

async function sha256(bytes: BufferSource): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

interface Reading {
  /** Reads up to 5 MiB from an offset; `undefined` when they were not read whole. */
  read: (from: number, size: number) => Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Takes the buffer of a read back, for the next one. */
  reuse: (bytes: Uint8Array<ArrayBuffer>) => void
  close: () => void
}

/**
 * Reads a file through one stream and one buffer, whose ownership passes to the stream and back. A stream of its own for
 * every chunk takes twice the time in Chromium: each starts with small reads. An offset that does not follow the last
 * read begins a new stream.
 */
function readInOrder(file: Blob): Reading {
  let reader: ReadableStreamBYOBReader | undefined
  let next = 0
  let spare: ArrayBuffer | undefined
  const close = (): void => {
    void reader?.cancel().catch(() => undefined)
    reader = undefined
  }
  const readOn = async (from: number, size: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    if (next !== from) close()
    const open = (reader ??= file.slice(from).stream().getReader({ mode: 'byob' }))
    let buffer = spare ?? new ArrayBuffer(CHUNK_BYTES)
    spare = undefined
    for (let at = 0; at < size;) {
      const { value } = await open.read(new Uint8Array(buffer, at, size - at))
      if (!value?.byteLength) return undefined
      buffer = value.buffer
      at += value.byteLength
    }
    next = from + size
    if (next >= file.size) close()
    return new Uint8Array(buffer, 0, size)
  }
  return {
    close,
    reuse: (bytes) => (spare = bytes.buffer),
    async read(from, size) {
      const bytes = await readOn(from, size).catch(() => undefined)
      if (!bytes) close()
      return bytes
    },
  }
}
