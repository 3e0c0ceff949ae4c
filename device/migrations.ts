// The device's database versions: an append-only list. Never edit an entry that was shipped; add one.
import type { IDBPDatabase, IDBPTransaction, StoreNames } from 'idb'
import type { DeviceSchema } from './schema.ts'

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
]
