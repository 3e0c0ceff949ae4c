// The device's database: opened once, opened again when the browser takes the connection away.
import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb'
import { databaseLost, isOutdated, setDatabaseState } from './database-state.ts'
import { DATABASE_VERSION, upgradeDatabase } from './migrations.ts'
import type { DeviceSchema } from './stores.ts'

export type DeviceDb = IDBPDatabase<DeviceSchema>
export type StoreName = StoreNames<DeviceSchema>
export type Tx<Mode extends IDBTransactionMode = 'readwrite'> = IDBPTransaction<
  DeviceSchema,
  StoreName[],
  Mode
>

const NAME = 'todoke'
/** How long an upgrade waits for tabs with an older version before it is given up for now, ms. */
const BLOCKED_MS = 3000
let opened: Promise<DeviceDb> | undefined

/**
 * Opens the database. Rejects with a `TimeoutError` while a tab with an older version blocks the upgrade. The browser
 * still finishes the upgrade once that tab is closed, and then the connection is used.
 */
function open(): Promise<DeviceDb> {
  let refuse: (why: DOMException) => void = () => {}
  const refused = new Promise<never>((_, reject) => (refuse = reject))
  refused.catch(() => undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRefused = false
  const clear = () => {
    clearTimeout(timer)
    if (opened === db || opened === first) opened = undefined
  }
  const db: Promise<DeviceDb> = openDB<DeviceSchema>(NAME, DATABASE_VERSION, {
    upgrade: (handle, from, _to, tx) => void upgradeDatabase(handle, from, tx),
    blocked: () => {
      timer = setTimeout(() => {
        isRefused = true
        setDatabaseState('blocked')
        refuse(new DOMException('an older version of the app has the database open', 'TimeoutError'))
      }, BLOCKED_MS)
    },
    // A newer version of the app upgrades: without this close it would never start. Without a version it is a deletion.
    blocking: (_current, wanted, event) => {
      ;(event.target as IDBDatabase).close()
      clear()
      if (wanted !== null) setDatabaseState('outdated')
    },
    terminated: () => {
      clear()
      databaseLost()
    },
  })
  const first = Promise.race([db, refused])
  db.then(
    () => {
      clearTimeout(timer)
      if (isRefused && opened === first) opened = db
      setDatabaseState('open')
    },
    (error: unknown) => {
      clear()
      if (isOutdated(error)) setDatabaseState('outdated')
    },
  )
  return first
}

/** Closes the connection, for tests and for taking the app down. */
export async function closeDatabase(): Promise<void> {
  const db = await opened?.catch(() => undefined)
  opened = undefined
  setDatabaseState('open')
  db?.close()
}

/**
 * Whether the browser closed the connection. iOS does so while the app is in the background, and every browser when it
 * clears the site's data. An abort by this code never ends with one of these errors.
 */
function lostConnection(error: unknown): boolean {
  if (!(error instanceof DOMException)) return false
  if (error.name === 'UnknownError') return /connection|lost|clos|backing store|internal/i.test(error.message)
  return error.name === 'InvalidStateError' || error.name === 'AbortError'
}

/** How long to wait before each new try, ms. A database process that has just ended may need a moment. */
const RETRY_DELAYS = [0, 50, 500] as const

/**
 * Runs one transaction and resolves when it has completed, not when its last request succeeded.
 * A `strict` write is on the disk when this resolves. A `relaxed` one survives a kill but not a power cut. A `copy` is
 * relaxed and evicts nothing: it is worth less than stored data.
 * Reopens the database, three times at most, when the connection was lost; `work` then runs again from its start.
 * Without room, cached copies are evicted, the oldest half at a time, and the write is repeated. Throws what
 * the browser throws (`QuotaExceededError` among it); then nothing was written.
 */
export async function transact<T, Mode extends 'readonly' | 'readwrite'>(
  stores: StoreName[],
  mode: Mode,
  work: (tx: Tx<Mode>) => Promise<T>,
  durability: 'strict' | 'relaxed' | 'copy' = 'strict',
): Promise<T> {
  for (let tries = 0; ; tries++) {
    let connection: Promise<DeviceDb> | undefined
    try {
      connection = opened ??= open()
      const options = { durability: durability === 'strict' ? 'strict' : 'relaxed' } as const
      const tx = (await connection).transaction(stores, mode, options) as Tx<Mode>
      return await complete(tx, work)
    } catch (error) {
      if (mode === 'readwrite' && durability !== 'copy' && isFull(error) && (await evictOldest())) continue
      const delay = RETRY_DELAYS[tries]
      if (delay === undefined || !lostConnection(error)) throw error
      // Another transaction may have reopened it already.
      if (opened === connection) opened = undefined
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}

/** Whether a write failed because the device has no room. */
export const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError'

/**
 * Evicts cached copies to make room: the oldest half of the pictures or, without pictures, of the responses.
 * @returns whether any were evicted
 */
export async function evictOldest(): Promise<boolean> {
  for (const name of ['pictures', 'answers'] as const) {
    const work = async (tx: Tx) => {
      const ids = await tx.objectStore(name).index('age').getAllKeys()
      for (const id of ids.slice(0, Math.ceil(ids.length / 2))) await tx.objectStore(name).delete(id)
      return ids.length
    }
    if ((await transact([name], 'readwrite', work, 'copy')) > 0) return true
  }
  return false
}

async function complete<T, Mode extends IDBTransactionMode>(
  tx: Tx<Mode>,
  work: (tx: Tx<Mode>) => Promise<T>,
): Promise<T> {
  const done = tx.done
  // Awaited below; without this an abort during `work` would also be an unhandled rejection.
  done.catch(() => undefined)
  let value: T
  try {
    value = await work(tx)
  } catch (error) {
    try {
      tx.abort()
    } catch {
      // It had already aborted by itself; then `tx.error` has the reason.
    }
    throw tx.error ?? error
  }
  await done
  return value
}
