// Rows of uploads in parts, in memory: a process that ends does not lose them.
import type { StoredUpload, UploadParts } from '#server/adapters/s3/upload-parts.ts'

/** @param digests receives those of complete uploads, by their ids */
export function memoryParts(digests = new Map<string, string | undefined>()): UploadParts {
  const rows = new Map<string, StoredUpload>()
  const empty: StoredUpload = { stored: 0, finished: null, storeId: null, tailSize: 0, parts: [] }
  const of = (id: string) => rows.get(id) ?? empty
  const change = (id: string, expected: number, next: Partial<StoredUpload>): boolean => {
    if (of(id).stored !== expected) return false
    rows.set(id, { ...of(id), ...next })
    return true
  }
  return {
    find: async (id) => rows.get(id),
    unfinishedAmong: async (ids) => new Set(ids.filter((it) => rows.has(it))),
    begin: async (id, expected, storeId) => of(id).storeId === null && change(id, expected, { storeId }),
    add: async (id, expected, part) =>
      change(id, expected, {
        stored: part.start + part.size,
        tailSize: 0,
        parts: [...of(id).parts, part],
      }),
    setTail: async (id, expected, size) =>
      change(id, expected, { stored: expected - of(id).tailSize + size, tailSize: size }),
    endAt: async (id, expected, offset) =>
      change(id, expected, {
        stored: offset,
        tailSize: 0,
        parts: of(id).parts.filter(({ start }) => start < offset),
      }),
    lose: async (id, expected, storeId) =>
      of(id).storeId === storeId &&
      change(id, expected, { stored: 0, storeId: null, tailSize: 0, parts: [] }),
    async completed(id, storeId, digest) {
      if (of(id).storeId !== storeId) return
      digests.set(id, digest)
      rows.set(id, { ...of(id), storeId: null, tailSize: 0, parts: [] })
    },
    clear: async (id) => void rows.delete(id),
  }
}
