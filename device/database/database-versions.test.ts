// Two versions of the app on one database: the state of each page.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { closeDatabase, transact } from './database.ts'
import { databaseState } from './database-state.ts'
import { migrations } from './migrations.ts'
import type { DeviceSchema } from './stores.ts'

const read = () => transact(['drafts'], 'readonly', async (tx) => tx.objectStore('drafts').count())

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

test('a database of a newer version makes a page that opens later outdated', async () => {
  const newer = await openDB('todoke', 999)
  newer.close()
  await expect(read()).rejects.toThrow('version')
  expect(databaseState()).toBe('outdated')
})

test('an older version that does not close blocks the page after 3 s, until it is closed', async () => {
  const older = await openDB<DeviceSchema>('todoke', 1, {
    upgrade: (it, _from, _to, tx) => void migrations[0]?.(it, tx),
  })
  await expect(read()).rejects.toThrow('an older version of the app has the database open')
  expect(databaseState()).toBe('blocked')
  older.close()
  await expect.poll(databaseState).toBe('open')
  expect(await read()).toBe(0)
})
