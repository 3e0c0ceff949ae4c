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
 */
export function createChunker(file: Blob, form: ByteForm): (index: number) => Promise<HashedChunk> {
  let buffer: ArrayBuffer | undefined
  return async (index) => {
    const slice = file.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
    if (form !== 'blob') {
      const bytes = await slice.arrayBuffer()
      const stored = form === 'copy' ? new Blob([bytes]) : bytes
      return { size: bytes.byteLength, sha256: await sha256(bytes), bytes: stored }
    }
    const room = buffer ?? new ArrayBuffer(CHUNK_BYTES)
    buffer = undefined
    const filled = await fill(slice, room)
    // An engine without such readers, or a deleted file: reading the slice whole works, or fails with the reason.
    const bytes = filled ?? new Uint8Array(await slice.arrayBuffer())
    const cut = { size: bytes.byteLength, sha256: await sha256(bytes), bytes: slice }
    buffer = filled?.buffer
    return cut
  }
}

async function sha256(bytes: BufferSource): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** Reads a slice into a buffer, whose ownership passes to the reader and back; `undefined` when it was not read whole. */
async function fill(slice: Blob, room: ArrayBuffer): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const reader = slice.stream().getReader({ mode: 'byob' })
    let buffer = room
    for (let at = 0; at < slice.size;) {
      const { value } = await reader.read(new Uint8Array(buffer, at, slice.size - at))
      if (!value?.byteLength) return undefined
      buffer = value.buffer
      at += value.byteLength
    }
    return new Uint8Array(buffer, 0, slice.size)
  } catch {
    return undefined
  }
}
