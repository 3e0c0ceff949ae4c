// Opens a file on the disk for readers of its parts.
import { open } from 'node:fs/promises'
import type { ByteSource } from '#contract/kinds/file-bytes.ts'

/** Opens a file, passes its bytes to a reader, and closes it. */
export async function withFile<T>(file: string, work: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const read = async (offset: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    }
    return await work({ size, read })
  } finally {
    await handle.close()
  }
}
