// Two versions of the app on one database: the state of each page.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'
import { closeDatabase, transact } from './database.ts'
import { databaseState } from './database-state.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import { migrations } from './migrations.ts'
import type { DeviceSchema } from './stores.ts'

const read = () => transact(['drafts'], 'readonly', async (tx) => tx.objectStore('drafts').count())

afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
})

test('a database of a newer version makes a page that opens later outdated', async () => {
  const newer = await openDB('todoke', 999)
  newer.close()
  await expect(read()).rejects.toThrow('version')
  expect(databaseState()).toBe('outdated')
  await deleteDB('todoke')
  expect(await read(), 'the database is opened again').toBe(0)
})

test('an upgrade that fails leaves the database as it was, and is reported', async () => {
  const reported = vi.spyOn(console, 'error').mockReturnValue()
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  const before = migrations.slice(0, -1)
  const older = await openDB<DeviceSchema>('todoke', before.length, {
    upgrade: (it, _from, _to, tx) => {
      for (const upgrade of before) void upgrade(it, tx)
      // The last step creates this store.
      it.createObjectStore('messageDrafts', { keyPath: 'id' })
    },
  })
  await older.put('drafts', emptyDraft('aoi', 1))
  const blocked = vi.spyOn(globalThis, 'setTimeout')
  const reading = read().catch((error: unknown) => error)
  await expect.poll(() => blocked.mock.calls.map(([, delay]) => delay)).toContain(3000)
  const timer: unknown =
    blocked.mock.results[blocked.mock.calls.findIndex(([, delay]) => delay === 3000)]?.value
  older.close()
  expect(await reading).toMatchObject({ name: 'AbortError' })
  expect(cleared, 'no tab blocks the upgrade any more').toHaveBeenCalledWith(timer)
  expect(databaseState()).toBe('open')
  const [error] = reported.mock.calls
  expect(error).toEqual([
    'the database was not upgraded',
    expect.objectContaining({ name: 'ConstraintError' }),
  ])
  const after = await openDB('todoke')
  expect([after.version, await after.count('drafts')]).toEqual([before.length, 1])
  after.close()
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
