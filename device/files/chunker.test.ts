// Chunks of a picked file: their digests, and the one buffer they are read through.
import { createHash, randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { CHUNK_BYTES } from './chunks.ts'
import { type HashedChunk, createChunker } from './chunker.ts'

const bytes = randomBytes(2 * CHUNK_BYTES + 7)
const sum = (from: number, to?: number) => createHash('sha256').update(bytes.subarray(from, to)).digest('hex')
const sums = [sum(0, CHUNK_BYTES), sum(CHUNK_BYTES, 2 * CHUNK_BYTES), sum(2 * CHUNK_BYTES)]

async function cutAll(form: 'blob' | 'copy' | 'buffer') {
  // In parts, so that one read does not give it all.
  const parts = [0, 1, 2, 3].map((n) =>
    bytes.subarray(n * 3_000_000, n < 3 ? (n + 1) * 3_000_000 : undefined),
  )
  const cut = createChunker(new Blob(parts), form)
  return [await cut(0), await cut(1), await cut(2)]
}
const digests = (chunks: readonly HashedChunk[]) => chunks.map((it) => Buffer.from(it.sha256).toString('hex'))

test.each(['blob', 'copy', 'buffer'] as const)(
  'as %s, every chunk has its own bytes and their SHA-256',
  async (form) => {
    const chunks = await cutAll(form)
    expect(digests(chunks)).toEqual(sums)
    expect(chunks.map((it) => it.size)).toEqual([CHUNK_BYTES, CHUNK_BYTES, 7])
    expect(chunks.every((it) => it.bytes instanceof (form === 'buffer' ? ArrayBuffer : Blob))).toBe(true)
    const stored = await new Blob(chunks.map((it) => it.bytes)).arrayBuffer()
    expect(Buffer.from(stored).equals(bytes)).toBe(true)
  },
)

test('slices are read through one buffer, never as a whole', async () => {
  const plain = vi.spyOn(Blob.prototype, 'arrayBuffer')
  try {
    expect(digests(await cutAll('blob'))).toEqual(sums)
    expect(plain).not.toHaveBeenCalled()
  } finally {
    plain.mockRestore()
  }
})

test('chunks in file order are read through one stream; another order begins a new one at its chunk', async () => {
  const file = new Blob([bytes])
  const slices = vi.spyOn(file, 'slice')
  const streams = vi.spyOn(Blob.prototype, 'stream')
  try {
    const cut = createChunker(file, 'blob')
    const cuts = [await cut(0), await cut(1)]
    expect(streams).toHaveBeenCalledOnce()
    cuts.push(await cut(0), await cut(2))
    expect(streams).toHaveBeenCalledTimes(3)
    expect(digests(cuts)).toEqual([sums[0], sums[1], sums[0], sums[2]])
    const begun = slices.mock.calls.flatMap(([from, to]) => (to === undefined ? [from] : []))
    expect(begun).toEqual([0, 0, 2 * CHUNK_BYTES])
  } finally {
    streams.mockRestore()
  }
})

test('a file is closed when its last chunk was read, and when no more chunks are cut', async () => {
  const cancel = vi.spyOn(ReadableStreamBYOBReader.prototype, 'cancel')
  try {
    const end = new AbortController()
    const cut = createChunker(new Blob([bytes]), 'blob', end.signal)
    await cut(0)
    expect(cancel).not.toHaveBeenCalled()
    end.abort()
    expect(cancel).toHaveBeenCalledOnce()
    await cutAll('blob')
    expect(cancel).toHaveBeenCalledTimes(2)
  } finally {
    cancel.mockRestore()
  }
})

test.each([
  ['not be read into a given buffer', () => new ReadableStream()],
  [
    'be read only in part',
    () =>
      new ReadableStream({
        type: 'bytes',
        pull(controller) {
          controller.close()
          controller.byobRequest?.respond(0)
        },
      }),
  ],
])('where a slice can %s the slice is read whole', async (_name, made) => {
  const stream = vi.spyOn(Blob.prototype, 'stream').mockImplementation(made)
  try {
    expect(digests(await cutAll('blob'))).toEqual(sums)
  } finally {
    stream.mockRestore()
  }
})

test('a deleted file rejects with the browser’s error', async () => {
  const file = new Blob([bytes])
  const gone = new DOMException('moved', 'NotReadableError')
  const spies = [
    vi
      .spyOn(Blob.prototype, 'stream')
      .mockImplementation(() => new ReadableStream({ pull: (it) => it.error(gone), type: 'bytes' })),
    vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(gone),
  ]
  try {
    await expect(createChunker(file, 'blob')(0)).rejects.toBe(gone)
  } finally {
    for (const it of spies) it.mockRestore()
  }
})

test('a copied chunk has its own bytes, which outlive the picked file', async () => {
  const file = new Blob(['abc'])
  const slice = vi.spyOn(file, 'slice')
  const { bytes: copied } = await createChunker(file, 'copy')(0)
  const { bytes: sliced } = await createChunker(file, 'blob')(0)
  const slices = new Set(slice.mock.results.map((it) => it.value as unknown))
  expect([slices.has(copied), slices.has(sliced)]).toEqual([false, true])
})
