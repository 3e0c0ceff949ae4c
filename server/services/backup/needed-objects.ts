// The objects that the rows of a snapshot need.
import type { ObjectKey, ObjectStore, StoredObject } from '#server/adapters/files/object-store.ts'
import type { Db } from '#server/store/database.ts'
import {
  filesOfMedia,
  FIRST,
  listFinishedUploads,
  listIdentityFiles,
  listReadyExports,
  listReadyMedia,
  type StoredFolder,
} from '#server/store/media/stored-files.ts'
import { keyOfUpload } from '#server/store/media/upload-keys.ts'

/** A row whose object is not in the store. */
export interface Lost {
  readonly folder: StoredFolder
  readonly id: string
  readonly key: ObjectKey
}

/** An object of a person. */
export interface OwnedObject extends StoredObject {
  readonly owner: string
}

export type Needed = { readonly object: OwnedObject } | { readonly lost: Lost }

/** Rows whose objects are looked up at the same time. */
const AT_ONCE = 16

/**
 * Unfinished uploads are not among them, since their devices send the rest or all of it, and neither are documents that
 * are not encrypted yet (`identity-uploads`).
 */
export async function* neededObjects(db: Db, objects: ObjectStore): AsyncGenerator<Needed, void> {
  yield* each(
    (after) => listFinishedUploads(db, after, 'without_documents'),
    (row) => one(objects, 'uploads', row, keyOfUpload(row), row.length),
  )
  yield* each(
    (after) => listReadyMedia(db, after),
    async ({ id, kind, made, ownerId: owner }) => {
      const found: Needed[] = []
      const missing = new Set(filesOfMedia(kind, made))
      for await (const object of objects.below(`media/${id}`)) {
        found.push({ object: { ...object, owner } })
        missing.delete(object.key.slice(`media/${id}/`.length))
      }
      const lost = [...missing].map((it) => ({
        lost: { folder: 'media', id, key: `media/${id}/${it}` } as const,
      }))
      return [...found, ...lost]
    },
  )
  yield* each(
    (after) => listIdentityFiles(db, after),
    (row) => one(objects, 'identity', row, `identity/${row.id}`),
  )
  yield* each(
    (after) => listReadyExports(db, after),
    (row) => one(objects, 'exports', row, `exports/${row.id}.zip`),
  )
}

async function one(
  objects: ObjectStore,
  folder: StoredFolder,
  { id, ownerId: owner }: { readonly id: string; readonly ownerId: string },
  key: ObjectKey,
  length?: number | null,
): Promise<Needed[]> {
  const facts = await objects.factsOf(key)
  if (!facts || (typeof length === 'number' && facts.size !== length)) return [{ lost: { folder, id, key } }]
  return [{ object: { key, owner, size: facts.size, etag: facts.etag } }]
}

async function* each<Row extends { readonly id: string }>(
  read: (after: string) => Promise<readonly Row[]>,
  look: (row: Row) => Promise<readonly Needed[]>,
): AsyncGenerator<Needed, void> {
  for (let rows = await read(FIRST); rows.length > 0; rows = await read(rows.at(-1)?.id ?? '')) {
    for (let at = 0; at < rows.length; at += AT_ONCE)
      for (const found of await Promise.all(rows.slice(at, at + AT_ONCE).map(look))) yield* found
  }
}
