// Reads a file of an identity check whole, with its progress.

interface Reading {
  readonly mime: string
  /** Bytes of the whole file. */
  readonly length: number
  readonly signal: AbortSignal
  /** Called with whole percents. */
  readonly onProgress: (percent: number) => void
}

/** @returns undefined for a refusal, without a network, and for a body that ended early */
export async function readWhole(
  src: string,
  { mime, length, signal, onProgress }: Reading,
): Promise<Blob | undefined> {
  try {
    const response = await fetch(src, { signal, cache: 'no-store' })
    if (response.status !== 200 || !response.body) return undefined
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let read = 0
    const reader = response.body.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value)
      read += next.value.length
      onProgress(Math.floor((read / length) * 100))
    }
    return read === length ? new Blob(pieces, { type: mime }) : undefined
  } catch {
    return undefined
  }
}
