// A lost database connection is reopened; no write is lost or repeated.
import 'fake-indexeddb/auto'
import { forceCloseDatabase } from 'fake-indexeddb'
import { deleteDB, openDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'
import { databaseState, onDatabaseLost, onDatabaseState } from './database-state.ts'
import { closeDatabase, transact } from './database.ts'
import { migrations } from './migrations.ts'
import { readSetting, writeSetting } from '#device/session/settings.ts'
import type { DeviceSchema } from './stores.ts'
import * as v from 'valibot'

afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
})

const read = () => readSetting('a', v.number())

/** The connections that were opened, newest last. */
function connections(): IDBDatabase[] {
  const made: IDBDatabase[] = []
  const open = indexedDB.open.bind(indexedDB)
  vi.spyOn(indexedDB, 'open').mockImplementation((...how) => {
    const request = open(...how)
    request.addEventListener('success', () => made.push(request.result))
    return request
  })
  return made
}

/** The browser closes this connection; the next transaction begins on a new one, without a failed try. */
async function expectReopened(db: IDBDatabase | undefined): Promise<void> {
  const closed = new Promise((done) => db?.addEventListener('close', done))
  forceCloseDatabase(db as never)
  await closed
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await read()
  expect(begun).toHaveBeenCalledTimes(1)
  begun.mockRestore()
}

test('the browser closes the connection between two transactions: the next one opens it again', async () => {
  const made = connections()
  await writeSetting('a', 1)
  await expectReopened(made[0])
  expect(await read()).toBe(1)
  await writeSetting('a', 2)
  expect(await read()).toBe(2)
  expect(made).toHaveLength(2)
})

test.each([
  ['UnknownError', 'Connection to Indexed Database server lost. Refresh the page to try again'],
  ['InvalidStateError', 'The database connection is closing.'],
  ['UnknownError', 'Internal error opening backing store for indexedDB.open.'],
  ['AbortError', 'The transaction was aborted.'],
])('a transaction that ends with %s "%s" runs again on a new connection', async (name, message) => {
  const made = connections()
  await writeSetting('a', 1)
  let runs = 0
  const value = await transact(['settings'], 'readwrite', async (tx) => {
    runs++
    const before = (await tx.objectStore('settings').get('a')) as number
    await tx.objectStore('settings').put(before + 1, 'a')
    if (runs < 3) throw new DOMException(message, name)
    return before
  })
  // Writes of the aborted runs were rolled back.
  expect({ value, runs, stored: await read() }).toEqual({ value: 1, runs: 3, stored: 2 })
  expect(made).toHaveLength(3)
})

test('a transaction that the browser aborts by itself runs again', async () => {
  await writeSetting('a', 1)
  let runs = 0
  await transact(['settings'], 'readwrite', async (tx) => {
    runs++
    await tx.objectStore('settings').put(runs + 1, 'a')
    if (runs === 1) (tx as unknown as { abort(): void }).abort()
  })
  expect(await read()).toBe(3)
})

test('transactions that lose one connection together open one new one', async () => {
  const made = connections()
  await writeSetting('a', 1)
  let lost = 4
  const one = () =>
    transact(['settings'], 'readonly', async (tx) => {
      await tx.objectStore('settings').get('a')
      if (lost-- > 0) throw new DOMException('Connection lost', 'UnknownError')
    })
  await Promise.all([one(), one(), one(), one()])
  expect(made).toHaveLength(2)
})

test('opening a database is retried a limited number of times', async () => {
  const open = indexedDB.open.bind(indexedDB)
  let failing = 2
  const spy = vi.spyOn(indexedDB, 'open').mockImplementation((...how) => {
    if (failing-- > 0) throw new DOMException('Internal error opening backing store', 'UnknownError')
    return open(...how)
  })
  await writeSetting('a', 1)
  expect(spy).toHaveBeenCalledTimes(3)
  await closeDatabase()
  failing = Infinity
  await expect(read()).rejects.toThrow('Internal error')
  expect(spy).toHaveBeenCalledTimes(7)
})

test('a lost connection is opened again at once, then after 50 ms and after 500 ms', async () => {
  await writeSetting('a', 1)
  const waits = vi.spyOn(globalThis, 'setTimeout')
  const end = transact(['settings'], 'readonly', async () => {
    throw new DOMException('Connection lost', 'UnknownError')
  })
  await expect(end).rejects.toThrow('Connection lost')
  expect(waits.mock.calls.map(([, delay]) => delay)).toEqual([50, 500])
})

test.each([
  [
    'an error that only has the name of a lost connection',
    Object.assign(new Error('x'), { name: 'AbortError' }),
  ],
  ['what is no error', undefined],
])('%s is thrown, and the transaction does not run again', async (_what, thrown) => {
  let runs = 0
  const end = transact(['settings'], 'readonly', async () => {
    runs++
    throw thrown
  }).catch((error: unknown) => ({ error }))
  expect(await end).toEqual({ error: thrown })
  expect(runs).toBe(1)
})

test('the end of an older connection does not close the one that was opened since', async () => {
  const made = connections()
  await writeSetting('a', 1)
  let runs = 0
  await transact(['settings'], 'readonly', async () => {
    if (runs++ === 0) throw new DOMException('Connection lost', 'UnknownError')
  })
  const closed = new Promise((done) => made[0]?.addEventListener('close', done))
  forceCloseDatabase(made[0] as never)
  await closed
  expect(await read()).toBe(1)
  expect(made).toHaveLength(2)
})

test('a read that fails for lack of room evicts no response', async () => {
  const made = connections()
  const answers = () => transact(['answers'], 'readonly', (tx) => tx.objectStore('answers').count())
  await transact(['answers'], 'readwrite', (tx) =>
    tx
      .objectStore('answers')
      .put({ ownerId: 'a', key: 'b', text: '1', size: 1, at: 1, until: null, pictures: [] }),
  )
  const fail = async () => {
    throw new DOMException('no room', 'QuotaExceededError')
  }
  await expect(transact(['settings'], 'readonly', fail)).rejects.toThrow('no room')
  expect(await answers()).toBe(1)
  await expect(transact(['settings'], 'readwrite', fail)).rejects.toThrow('no room')
  expect(await answers()).toBe(0)
  expect(made, 'evicting uses the open connection').toHaveLength(1)
})

test('a write without room fails at once, without a retry', async () => {
  let runs = 0
  const end = transact(['settings'], 'readwrite', async () => {
    runs++
    throw new DOMException('no room', 'QuotaExceededError')
  })
  await expect(end).rejects.toThrow('no room')
  expect(runs).toBe(1)
})

test('an upgrade blocked by a tab of an older version rejects after three seconds, and continues once that tab is closed', async () => {
  const before = migrations.slice(0, -1)
  const old = await openDB<DeviceSchema>('todoke', before.length, {
    upgrade: (db, _from, _to, tx) => {
      for (const upgrade of before) void upgrade(db, tx)
    },
  })
  const made = connections()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const reading = read().catch((error: unknown) => error)
    const states: string[] = []
    const stop = onDatabaseState(() => states.push(databaseState()))
    while (vi.getTimerCount() === 0) await new Promise((done) => setImmediate(done))
    vi.advanceTimersByTime(3000)
    expect(await reading).toMatchObject({ name: 'TimeoutError' })
    expect(states).toEqual(['blocked'])
    const open = new Promise<void>((done) => onDatabaseState(() => databaseState() === 'open' && done()))
    old.close()
    await open
    stop()
    expect(await read()).toBeUndefined()
    await expectReopened(made.at(-1))
  } finally {
    // Without it the next tests could not open the database.
    old.close()
    vi.useRealTimers()
  }
})

test('an upgrade by a newer version closes this connection at once, and every transaction fails with the reason', async () => {
  await writeSetting('a', 1)
  const newer = await openDB('todoke', 99)
  expect(databaseState()).toBe('outdated')
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const reading = await read().catch((error: unknown) => error)
  newer.close()
  expect(reading).toMatchObject({ name: 'VersionError' })
  expect(begun, 'the closed connection is not used').not.toHaveBeenCalled()
  await closeDatabase()
  expect(databaseState()).toBe('open')
})

test('a database that was deleted is made again, and the page is not outdated', async () => {
  await writeSetting('a', 1)
  await deleteDB('todoke')
  expect(databaseState()).toBe('open')
  expect(await read()).toBeUndefined()
})

test('listeners are called at once when the browser closes the connection', async () => {
  const made = connections()
  await writeSetting('a', 1)
  const lost = new Promise<string>((done) => onDatabaseLost(() => done('lost')))
  forceCloseDatabase(made[0] as never)
  expect(await lost).toBe('lost')
})
