// Rows of uploads in parts, in memory: a process that ends does not lose them.
import type { StoredUpload, UploadParts } from '#server/adapters/files/upload-parts.ts'

/** @param digests receives those of complete uploads, by their ids */
export function memoryParts(digests = new Map<string, string | undefined>()): UploadParts {
  const rows = new Map<string, StoredUpload>()
  const empty: StoredUpload = {
    numbered: false,
    stored: 0,
    finished: null,
    storeId: null,
    tailSize: 0,
    parts: [],
  }
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
    number: async (id, expected, parts) =>
      !of(id).numbered &&
      change(id, expected, { numbered: true, stored: 0, tailSize: 0, parts: [...of(id).parts, ...parts] }),
    async keep(id, storeId, part) {
      const { numbered, finished, parts, storeId: present } = of(id)
      const known = parts.find(({ no }) => no === part.no)
      if (!numbered || finished !== null || present !== storeId || (known?.size ?? -1) >= part.size)
        return false
      const others = parts.filter(({ no }) => no !== part.no)
      rows.set(id, { ...of(id), parts: [...others, part].toSorted((a, b) => a.no - b.no) })
      return true
    },
    lose: async (id, expected, storeId) =>
      of(id).storeId === storeId &&
      change(id, expected, { stored: 0, storeId: null, tailSize: 0, parts: [] }),
    async completed(id, storeId, digest) {
      if (of(id).storeId !== storeId) return
      digests.set(id, digest)
      const { numbered, parts, stored: before } = of(id)
      const stored = numbered && before === 0 ? parts.reduce((sum, { size }) => sum + size, 0) : before
      rows.set(id, { ...of(id), storeId: null, tailSize: 0, stored, parts: [] })
    },
    clear: async (id) => void rows.delete(id),
  }
}
