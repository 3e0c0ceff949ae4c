// The device's database versions: an append-only list. Never edit an entry that was shipped; add one.
import type { IDBPDatabase, IDBPTransaction, StoreNames } from 'idb'
import type { Draft, Job } from './schema.ts'
import type { DeviceSchema } from './stores.ts'

type Upgrade = (
  db: IDBPDatabase<DeviceSchema>,
  tx: IDBPTransaction<DeviceSchema, StoreNames<DeviceSchema>[], 'versionchange'>,
) => void

export const migrations: readonly Upgrade[] = [
  (db) => {
    db.createObjectStore('drafts', { keyPath: 'id' }).createIndex('owner', 'ownerId')
    db.createObjectStore('media', { keyPath: 'id' }).createIndex('draft', 'draftId')
    db.createObjectStore('chunks', { keyPath: ['mediaId', 'index'] })
    db.createObjectStore('jobs', { keyPath: 'id' }).createIndex('owner', 'ownerId')
    db.createObjectStore('receipts', { keyPath: 'id' }).createIndex('owner', 'ownerId')
    db.createObjectStore('session')
    db.createObjectStore('settings')
    db.createObjectStore('broken', { autoIncrement: true })
  },
  (db) => {
    db.createObjectStore('early', { keyPath: 'id' }).createIndex('owner', 'ownerId')
  },
  (db, tx) => {
    db.createObjectStore('identity', { keyPath: 'ownerId' })
    void nameKinds(tx)
  },
  (db) => {
    const answers = db.createObjectStore('answers', { keyPath: ['ownerId', 'key'] })
    answers.createIndex('owner', 'ownerId')
    answers.createIndex('age', ['ownerId', 'at', 'size'])
  },
  (db) => {
    db.createObjectStore('acts', { keyPath: 'id' }).createIndex('owner', 'ownerId')
  },
  (db) => {
    db.createObjectStore('shared', { keyPath: 'id' })
  },
  (db, tx) => {
    const pictures = db.createObjectStore('pictures', { keyPath: ['ownerId', 'ref'] })
    pictures.createIndex('age', ['ownerId', 'at', 'size'])
    const answers = tx.objectStore('answers')
    answers.createIndex('picture', 'pictures', { multiEntry: true })
    answers.createIndex('until', 'until')
  },
  (_db, tx) => {
    tx.objectStore('media').createIndex('conversion', ['ownerId', 'conversion.is'])
  },
  (_db, tx) => void putBack(tx),
]

/** Rows that an earlier version could not read and had moved away go back to where the version that wrote them reads them. */
async function putBack(tx: Parameters<Upgrade>[1]): Promise<void> {
  for (let cursor = await tx.objectStore('broken').openCursor(); cursor;) {
    const { store, key, row } = cursor.value
    if (tx.db.objectStoreNames.contains(store as 'drafts')) {
      const home = tx.objectStore(store as 'drafts')
      if ((await home.getKey(key)) === undefined) await home.put(row as Draft)
    }
    await cursor.delete()
    cursor = await cursor.continue()
  }
}

/** Jobs from before there were kinds are posts. */
async function nameKinds(tx: Parameters<Upgrade>[1]): Promise<void> {
  for (let cursor = await tx.objectStore('jobs').openCursor(); cursor;) {
    // A row that is no object is left for whoever reads it, and sets it aside.
    if (typeof cursor.value === 'object') await cursor.update({ ...cursor.value, kind: 'post' } as Job)
    cursor = await cursor.continue()
  }
}
