// The device's database: opened once, opened again when the browser takes the connection away.
import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb'
import { databaseLost, setDatabaseState } from './database-state.ts'
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
 * Opens the database. Where a tab with an older version keeps it, the promise rejects with a `TimeoutError`; the browser
 * still finishes the upgrade once that tab is closed, and then the connection is used.
 */
function open(): Promise<DeviceDb> {
  let refuse: (why: DOMException) => void = () => {}
  const refused = new Promise<never>((_, reject) => (refuse = reject))
  refused.catch(() => undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRefused = false
  const forget = () => {
    clearTimeout(timer)
    if (opened === db || opened === first) opened = undefined
  }
  const db: Promise<DeviceDb> = openDB<DeviceSchema>(NAME, DATABASE_VERSION, {
    upgrade: (handle, from, _to, tx) => void upgradeDatabase(handle, from, tx),
    blocked: () => {
      timer = setTimeout(() => {
        isRefused = true
        setDatabaseState('blocked')
        refuse(new DOMException('an older version of the app keeps the database', 'TimeoutError'))
      }, BLOCKED_MS)
    },
    // A newer version of the app wants to upgrade: let go, or it would wait for ever. Without a version it is a deletion.
    blocking: (_current, wanted, event) => {
      ;(event.target as IDBDatabase).close()
      forget()
      if (wanted !== null) setDatabaseState('outdated')
    },
    terminated: () => {
      forget()
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
      forget()
      if (error instanceof DOMException && error.name === 'VersionError') setDatabaseState('outdated')
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
 * The browser took the connection away: iOS does while the app is in the background, every browser does when it
 * clears the site's data. Transactions end with these errors then; an abort of our own never shows as one of them.
 */
function lostConnection(error: unknown): boolean {
  if (!(error instanceof DOMException)) return false
  if (error.name === 'UnknownError') return /connection|lost|clos|backing store|internal/i.test(error.message)
  return error.name === 'InvalidStateError' || error.name === 'AbortError'
}

/** How long to wait before each new try, ms: a database server that just went away may need a moment. */
const AGAIN_AFTER = [0, 50, 500] as const

/**
 * Runs one transaction and resolves when it has completed, not when its last request succeeded.
 * Writes are strict: they are on the disk when this resolves; `relaxed` ones survive a kill but not a power cut, and a
 * `copy` is relaxed and evicts nothing: it is worth less than stored data.
 * Reopens the database, three times at most, when the connection was lost; `work` then runs again from its start.
 * Without room, cached copies are evicted, the oldest half at a time, and the write is repeated. Throws what
 * the browser throws (`QuotaExceededError` among it); then nothing was written.
 */
export async function transact<T, Mode extends 'readonly' | 'readwrite'>(
  stores: StoreName[],
  mode: Mode,
  work: (tx: Tx<Mode>) => Promise<T>,
  care: 'strict' | 'relaxed' | 'copy' = 'strict',
): Promise<T> {
  for (let tries = 0; ; tries++) {
    let connection: Promise<DeviceDb> | undefined
    try {
      connection = opened ??= open()
      const durability = care === 'strict' ? 'strict' : 'relaxed'
      const tx = (await connection).transaction(stores, mode, { durability }) as Tx<Mode>
      return await complete(tx, work)
    } catch (error) {
      if (mode === 'readwrite' && care !== 'copy' && isFull(error) && (await evictOldest())) continue
      const delay = AGAIN_AFTER[tries]
      if (delay === undefined || !lostConnection(error)) throw error
      // Another transaction may have reopened it already.
      if (opened === connection) opened = undefined
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}

/** Whether a write found no room. */
export const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError'

/**
 * What is only a copy makes room for what the person made: the oldest half of the pictures or, where there is none, of
 * the answers.
 * @returns whether there was any of it
 */
export async function evictOldest(): Promise<boolean> {
  for (const name of ['pictures', 'answers'] as const) {
    const tx = (await (opened ??= open())).transaction(name, 'readwrite')
    const ids = await tx.store.index('age').getAllKeys()
    for (const id of ids.slice(0, Math.ceil(ids.length / 2))) await tx.store.delete(id)
    await tx.done
    if (ids.length > 0) return true
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
      // It had already aborted by itself; then `tx.error` says why.
    }
    throw tx.error ?? error
  }
  await done
  return value
}
