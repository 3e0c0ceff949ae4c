// Cached pictures, for reading without network. They are evicted with the responses that name them.
import { evictExpiredIn } from './eviction.ts'
import { isFull, transact, type Tx } from '#device/database/database.ts'
import { parseRow } from '#device/database/rows.ts'
import type { Picture } from './picture-row.ts'
import type { PictureName } from './picture-names.ts'

/** Most pictures stored per person, and their bytes together; the least recently seen are removed first. */
export const MAX_PICTURES = 800
export const MAX_PICTURE_BYTES = 60 * 1024 * 1024
/** A larger picture is not stored, bytes. */
export const MAX_PICTURE = 2 * 1024 * 1024
/** A picture above this size makes room at once, bytes; fewer than `MAX_PICTURES` smaller ones do not exceed the limit much. */
const LARGE = 200_000
/** How often it is recorded that a picture was seen, ms. */
const SEEN_MS = 24 * 3600 * 1000
/** The response that names a picture must be stored within this time after it, ms. */
const STRAY_MS = 60_000

let swept = false

/** Whether to store this picture: none is stored, or a wider one, or one that was not seen lately. */
export async function wantsPicture(ownerId: string, { ref, width }: PictureName, now: number) {
  const row = await transact(['pictures'], 'readonly', (tx) => tx.objectStore('pictures').get([ownerId, ref]))
  const stored = parseRow('pictures', row)
  return !stored || stored.width > width || stored.at < now - SEEN_MS
}

/**
 * Stores a picture, if the person is still signed in here. Of one picture the narrowest seen width stays. Nothing
 * is evicted for it: a device without room stores none.
 * @returns whether it was stored
 */
export async function savePicture(picture: Omit<Picture, 'size'>): Promise<boolean> {
  const { ownerId, ref, bytes, at } = picture
  const row: Picture = { ...picture, size: bytes.byteLength }
  if (row.size === 0 || row.size > MAX_PICTURE) return false
  try {
    return await transact(
      ['session', 'answers', 'pictures'],
      'readwrite',
      async (tx) => {
        const session = parseRow('session', await tx.objectStore('session').get('current'))
        if (session?.user.id !== ownerId) return false
        const store = tx.objectStore('pictures')
        const stored = parseRow('pictures', await store.get([ownerId, ref]))
        await store.put(stored && stored.width <= row.width ? { ...stored, at } : row)
        if (!swept || row.size > LARGE || (await store.count()) > MAX_PICTURES) await makeRoom(tx, at)
        swept = true
        return true
      },
      'copy',
    )
  } catch (error) {
    if (isFull(error)) return false
    throw error
  }
}

/**
 * Evicts pictures that no response names, then the least recently seen. A tenth more than necessary, so that not every
 * picture evicts.
 */
async function makeRoom(tx: Tx, now: number): Promise<void> {
  const store = tx.objectStore('pictures')
  const named = tx.objectStore('answers').index('picture')
  const rows: { id: [string, string]; size: number }[] = []
  for (let cursor = await store.index('age').openKeyCursor(); cursor; cursor = await cursor.continue()) {
    const [, at, size] = cursor.key
    const id = cursor.primaryKey
    if (at < now - STRAY_MS && (await named.count(id[1])) === 0) await store.delete(id)
    else rows.push({ id, size })
  }
  let count = rows.length
  let bytes = rows.reduce((sum, { size }) => sum + size, 0)
  if (count <= MAX_PICTURES && bytes <= MAX_PICTURE_BYTES) return
  for (const { id, size } of rows) {
    if (count <= MAX_PICTURES * 0.9 && bytes <= MAX_PICTURE_BYTES * 0.9) return
    await store.delete(id)
    count -= 1
    bytes -= size
  }
}

/** Reads a picture in its stored width, while an unexpired response names it. */
export async function readPicture(
  ownerId: string,
  ref: string,
  now: number,
): Promise<Pick<Picture, 'type' | 'bytes'> | undefined> {
  const expired = await transact(['answers'], 'readonly', (tx) =>
    tx.objectStore('answers').index('until').count(IDBKeyRange.upperBound(now)),
  )
  if (expired > 0) await transact(['answers', 'pictures'], 'readwrite', (tx) => evictExpiredIn(tx, now))
  return transact(['answers', 'pictures'], 'readonly', async (tx) => {
    if ((await tx.objectStore('answers').index('picture').count(ref)) === 0) return undefined
    return parseRow('pictures', await tx.objectStore('pictures').get([ownerId, ref]))
  })
}

/** Removes a picture after the server has replied that there is none, or none for this person. */
export async function dropPicture(ownerId: string, ref: string): Promise<void> {
  await transact(['pictures'], 'readwrite', (tx) => tx.objectStore('pictures').delete([ownerId, ref]))
}

/** The names of all stored pictures of a person. */
export async function listPictures(ownerId: string): Promise<Set<string>> {
  const range = IDBKeyRange.bound([ownerId], [ownerId, []])
  const keys = await transact(['pictures'], 'readonly', (tx) => tx.objectStore('pictures').getAllKeys(range))
  return new Set(keys.map(([, ref]) => ref))
}
