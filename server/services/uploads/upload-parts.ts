// The rows of uploads for stores of parts.
import type { UploadParts } from '#server/adapters/files/upload-parts.ts'
import type { Db } from '#server/store/database.ts'
import type { UploadPrefix } from '#server/store/media/upload-keys.ts'
import {
  addStoredPart,
  beginStored,
  completeStored,
  endStoredAt,
  findStoredUpload,
  findUnfinished,
  keepPart,
  loseStored,
  numberParts,
  clearStored,
  setStoredTail,
} from '#server/store/media/upload-parts.ts'

export const uploadPartsIn =
  (db: Db) =>
  (prefix: UploadPrefix): UploadParts => ({
    find: (id) => findStoredUpload(db, id),
    unfinishedAmong: (ids) => findUnfinished(db, prefix, ids),
    begin: (id, expected, storeId) => beginStored(db, id, expected, storeId),
    add: (id, expected, part) => addStoredPart(db, id, expected, part),
    setTail: (id, expected, size) => setStoredTail(db, id, expected, size),
    endAt: (id, expected, offset) => endStoredAt(db, id, expected, offset),
    completed: (id, storeId, digest) => completeStored(db, id, storeId, digest),
    number: (id, expected, parts) => numberParts(db, id, expected, parts),
    keep: (id, storeId, part) => keepPart(db, id, storeId, part),
    lose: (id, expected, storeId) => loseStored(db, id, expected, storeId),
    clear: (id) => clearStored(db, id, prefix),
  })
