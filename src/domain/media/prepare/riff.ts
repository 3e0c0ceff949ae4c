// Reads and writes the chunks of a WebP, which is a RIFF file.

export type Bytes = Uint8Array<ArrayBuffer>

export function fourCC(bytes: Bytes, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

/** A chunk, with the byte that makes its length even. */
export function chunk(type: string, data: Bytes): Bytes {
  const made = new Uint8Array(8 + data.length + (data.length & 1))
  made.set(head(type, data.length))
  made.set(data, 8)
  return made
}

/** A WebP of these chunks. */
export function webpOf(chunks: readonly Bytes[]): Bytes[] {
  const size = chunks.reduce((sum, it) => sum + it.length, 4)
  return [Uint8Array.from([...head('RIFF', size), ...new TextEncoder().encode('WEBP')]), ...chunks]
}

function head(type: string, size: number): Bytes {
  const made = new Uint8Array(8)
  made.set(new TextEncoder().encode(type))
  new DataView(made.buffer).setUint32(4, size, true)
  return made
}
