// The device's database versions, append-only: never edit a shipped entry, add one.
import type { IDBPDatabase, IDBPTransaction, StoreNames } from 'idb'
import type { Job } from '#device/jobs/job-rows.ts'
import { upgradedJob, upgradedMutation, upgradedPreupload } from '#device/jobs/old-rows.ts'
import type { Draft } from './schema.ts'
import type { DeviceSchema } from './stores.ts'

/** Each waits for the one before it: they may change the same rows. */
type Upgrade = (
  db: IDBPDatabase<DeviceSchema>,
  tx: IDBPTransaction<DeviceSchema, StoreNames<DeviceSchema>[], 'versionchange'>,
) => void | Promise<void>

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
    return addKinds(tx)
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
  (_db, tx) => putBack(tx),
  async (_db, tx) => {
    await upgradeRows(tx, 'jobs', upgradedJob)
    await upgradeRows(tx, 'early', upgradedPreupload)
    await upgradeRows(tx, 'acts', upgradedMutation)
  },
  (db) => {
    db.createObjectStore('messageDrafts', { keyPath: 'id' }).createIndex('owner', 'ownerId')
  },
]

/** The version that this build needs. */
export const DATABASE_VERSION = migrations.length

/**
 * Brings a database to this build's version, one step after the other, inside the transaction of the upgrade. A step that
 * fails aborts it: the database stays as it was.
 * @param from the version it has; 0 for a new one
 */
export async function upgradeDatabase(
  db: Parameters<Upgrade>[0],
  from: number,
  tx: Parameters<Upgrade>[1],
): Promise<void> {
  try {
    for (const upgrade of migrations.slice(from)) {
      const done = upgrade(db, tx)
      // A transaction without pending requests ends, so only a step that makes requests is awaited.
      if (done) await done
    }
  } catch (error) {
    console.error('the database was not upgraded', error)
    // The failure is that of opening the database.
    tx.done.catch(() => undefined)
    tx.abort()
  }
}

/** Replaces the rows that `upgraded` can convert; others stay as they are. */
async function upgradeRows(
  tx: Parameters<Upgrade>[1],
  store: 'jobs' | 'early' | 'acts',
  upgraded: (raw: unknown) => object | undefined,
): Promise<void> {
  for (let cursor = await tx.objectStore(store).openCursor(); cursor; cursor = await cursor.continue()) {
    const row = upgraded(cursor.value)
    if (row) await cursor.update(row as never)
  }
}

/** Moves rows back that an earlier version could not read: the version that wrote them reads them there. */
async function putBack(tx: Parameters<Upgrade>[1]): Promise<void> {
  for (let cursor = await tx.objectStore('broken').openCursor(); cursor;) {
    const { store, key, row } = cursor.value
    if (tx.db.objectStoreNames.contains(store as 'drafts')) {
      const target = tx.objectStore(store as 'drafts')
      if ((await target.getKey(key)) === undefined) await target.put(row as Draft)
    }
    await cursor.delete()
    cursor = await cursor.continue()
  }
}

/** Adds the kind to jobs from before there were kinds: all are posts. */
async function addKinds(tx: Parameters<Upgrade>[1]): Promise<void> {
  for (let cursor = await tx.objectStore('jobs').openCursor(); cursor; cursor = await cursor.continue())
    await cursor.update({ ...cursor.value, kind: 'post' } as Job)
}
