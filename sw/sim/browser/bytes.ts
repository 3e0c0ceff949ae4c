// Blobs, files and forms with synchronous bytes, so that stories have a deterministic order.
import { createHash } from 'node:crypto'
import { LEGACY_CHUNK as FULL_LEGACY_CHUNK, TUS_CHUNK as FULL_TUS_CHUNK } from '#contract/limits.ts'

/** The part of a Blob that the product uses. */
export class SimBlob {
  readonly type: string
  readonly data: Uint8Array<ArrayBuffer>

  constructor(parts: readonly (SimBlob | Uint8Array | ArrayBuffer)[] = [], { type = '' } = {}) {
    const all = parts.map((it) => (it instanceof SimBlob ? it.data : new Uint8Array(it as ArrayBuffer)))
    const [only] = all
    this.data =
      all.length === 1 && only
        ? only
        : new Uint8Array(Buffer.concat(all.map((it) => Buffer.from(it.buffer, it.byteOffset, it.length))))
    this.type = type
  }
  get size(): number {
    return this.data.length
  }
  slice(start = 0, end = this.size, type = ''): SimBlob {
    return new SimBlob([this.data.subarray(start, Math.max(start, end))], { type })
  }
  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.data.slice().buffer)
  }
  text(): Promise<string> {
    return Promise.resolve(Buffer.from(this.data).toString())
  }
}

export class SimFile extends SimBlob {
  readonly name: string
  constructor(parts: readonly (SimBlob | Uint8Array)[], name: string, options?: { type?: string }) {
    super(parts, options)
    this.name = name
  }
}

/** A form: fields and files in their order. */
export class SimForm {
  readonly entries: { name: string; value: string | SimBlob; filename: string }[] = []
  append(name: string, value: string | SimBlob, filename = 'blob'): void {
    this.entries.push({ name, value: value instanceof SimBlob ? value : String(value), filename })
  }
  set(name: string, value: string | SimBlob, filename?: string): void {
    this.entries.splice(0, Infinity, ...this.entries.filter((it) => it.name !== name))
    this.append(name, value, filename)
  }
  get(name: string): string | SimBlob | null {
    return this.entries.find((it) => it.name === name)?.value ?? null
  }
  text(name: string): string | null {
    const value = this.get(name)
    return value instanceof SimBlob ? null : value
  }
  all(name: string): (string | SimBlob)[] {
    return this.entries.filter((it) => it.name === name).map((it) => it.value)
  }
}

/** The sizes of a story: the bytes of a MiB and of a chunk. */
export interface Scale {
  readonly MiB: number
  readonly chunk: number
  readonly legacyChunk: number
}
export const full: Scale = { MiB: 1024 * 1024, chunk: FULL_TUS_CHUNK, legacyChunk: FULL_LEGACY_CHUNK }
/** A MiB of 256 bytes: the same number of chunks, and 4,096 times less to hash. */
export const small: Scale = { MiB: 256, chunk: 5 * 256, legacyChunk: 6 * 256 }

export const sha256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(bytes).digest())

/** The composite digest of contract/digest.ts over leaves of this size, base64. */
export function digestOf(bytes: Uint8Array, leaf: number): string {
  const all = createHash('sha256')
  for (let at = 0; at < bytes.length; at += leaf) all.update(sha256(bytes.subarray(at, at + leaf)))
  return all.digest('base64')
}

/** The same bytes with one of them changed. */
export function corrupted(blob: SimBlob): SimBlob {
  const data = blob.data.slice()
  const at = data.length >> 1
  data[at] = (data[at] ?? 0) ^ 0xff
  return new SimBlob([data], { type: blob.type })
}

/** The bytes of one upload that a server has stored, in any order. */
export class UploadedBytes {
  /** Bytes that are stored. */
  length = 0
  /** Stored runs by where they begin; none overlaps another. */
  readonly #runs = new Map<number, Uint8Array>()

  /** Where the first gap begins. */
  get offset(): number {
    return this.within(0, Infinity)
  }

  /** Bytes that are stored from `from` on without a gap, up to `to`. */
  within(from: number, to: number): number {
    let end = from
    for (let run = this.#runs.get(end); run && end < to; run = this.#runs.get(end)) end += run.length
    return Math.min(end, to) - from
  }

  /** Stores the first `size` bytes at a position where a gap begins. */
  add(blob: SimBlob, at = this.length, size = blob.size): void {
    if (size === 0) return
    this.#runs.set(at, blob.data.subarray(0, size))
    this.length += size
  }

  digest(leaf: number): string {
    const inOrder = [...this.#runs].toSorted(([a], [b]) => a - b).map(([, run]) => run)
    return digestOf(Buffer.concat(inOrder), leaf)
  }
}
