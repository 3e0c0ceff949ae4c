// Pieces of stored chunks, and chunks that are read ahead.
import { expect, test } from 'vitest'
import { MiB } from '#contract/limits.ts'
import { CHUNK_BYTES } from '#device/files/chunks.ts'
import { createSource } from './source.ts'

const SIZE = 2 * CHUNK_BYTES + 3

function open(piece: number, missingOnce?: number) {
  const reads: number[] = []
  const chunk = async (_id: string, index: number) => {
    reads.push(index)
    if (index === missingOnce && reads.filter((it) => it === index).length === 1) return undefined
    return new Blob([new Uint8Array(index === 2 ? 3 : CHUNK_BYTES).fill(index)])
  }
  const source = createSource(
    { chunk },
    { id: 'a', size: SIZE },
    { piece: () => piece },
    new AbortController().signal,
  )
  const slice = async (start: number) => {
    const { value, done } = await source.slice(start, Math.min(SIZE, start + CHUNK_BYTES))
    const bytes = new Uint8Array(await (value as unknown as Blob).arrayBuffer())
    return { size: bytes.length, first: bytes[0], done }
  }
  return { reads, source, slice }
}

test('the next chunk is read while one is being sent, and none is read twice', async () => {
  const { reads, slice } = open(CHUNK_BYTES)
  expect(await slice(0)).toEqual({ size: CHUNK_BYTES, first: 0, done: false })
  expect(reads).toEqual([0, 1])
  expect(await slice(CHUNK_BYTES)).toEqual({ size: CHUNK_BYTES, first: 1, done: false })
  expect(reads).toEqual([0, 1, 2])
  expect(await slice(2 * CHUNK_BYTES)).toEqual({ size: 3, first: 2, done: true })
  expect(reads).toEqual([0, 1, 2])
})

test('small pieces of one chunk read it once', async () => {
  const { reads, slice } = open(2 * MiB)
  expect([await slice(0), await slice(2 * MiB), await slice(4 * MiB)].map((it) => it.size / MiB)).toEqual([
    2, 2, 1,
  ])
  expect(reads).toEqual([0, 1])
})

test('a chunk that was missing when it was read ahead is read again when it is needed', async () => {
  const { reads, slice } = open(CHUNK_BYTES, 1)
  await slice(0)
  expect((await slice(CHUNK_BYTES)).first).toBe(1)
  expect(reads).toEqual([0, 1, 1, 2])
})

test('a chunk that is missing again when it is needed ends the upload: its bytes are gone', async () => {
  const source = createSource(
    { chunk: async () => undefined },
    { id: 'a', size: SIZE },
    { piece: () => CHUNK_BYTES },
    new AbortController().signal,
  )
  await expect(source.slice(0, CHUNK_BYTES)).rejects.toMatchObject({
    end: { is: 'refused', code: 'bytes_missing' },
  })
})

test('a piece ends where it is wanted to, also inside a chunk', async () => {
  const { source } = open(CHUNK_BYTES)
  const { value, done } = await source.slice(CHUNK_BYTES + 1, CHUNK_BYTES + 4)
  expect([(value as unknown as Blob).size, done]).toEqual([3, false])
})

test('chunks before the one that is sent do not stay in memory', async () => {
  const { reads, slice } = open(CHUNK_BYTES)
  await slice(0)
  await slice(CHUNK_BYTES)
  await slice(0)
  expect(reads).toEqual([0, 1, 2, 0])
})
