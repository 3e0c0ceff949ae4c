// The device's database: opened once, opened again when the browser takes the connection away.
import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb'
import { migrations } from './migrations.ts'
import type { DeviceSchema } from './schema.ts'

export type DeviceDb = IDBPDatabase<DeviceSchema>
export type StoreName = StoreNames<DeviceSchema>
export type Tx<Mode extends IDBTransactionMode = 'readwrite'> = IDBPTransaction<
  DeviceSchema,
  StoreName[],
  Mode
>

const NAME = 'todoke'
let opened: Promise<DeviceDb> | undefined

function open(): Promise<DeviceDb> {
  const db = openDB<DeviceSchema>(NAME, migrations.length, {
    upgrade: (handle, from, _to, tx) => {
      for (const upgrade of migrations.slice(from)) upgrade(handle, tx)
    },
    // A newer version of the app wants to upgrade: let go, or it would wait for ever.
    blocking: (_current, _wanted, event) => {
      ;(event.target as IDBDatabase).close()
      opened = undefined
    },
    terminated: () => {
      opened = undefined
    },
  })
  db.catch(() => {
    opened = undefined
  })
  return db
}

/** Closes the connection, for tests and for taking the app down. */
export async function closeDatabase(): Promise<void> {
  const db = await opened?.catch(() => undefined)
  opened = undefined
  db?.close()
}

/** iOS drops the connection while the app is in the background: these errors mean "open it again". */
function lostConnection(error: unknown): boolean {
  return (
    error instanceof DOMException &&
    (error.name === 'InvalidStateError' ||
      (error.name === 'UnknownError' && /connection|lost|closing/i.test(error.message)))
  )
}

/**
 * Runs one transaction and resolves when it has completed, not when its last request succeeded.
 * Writes are strict: they are on the disk when this resolves; `relaxed` ones survive a kill but not a power cut. Opens the database anew once when the
 * connection was lost. Throws what the browser throws (`QuotaExceededError` among it); then nothing was written.
 */
export async function transact<T, Mode extends 'readonly' | 'readwrite'>(
  stores: StoreName[],
  mode: Mode,
  work: (tx: Tx<Mode>) => Promise<T>,
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<T> {
  for (let again = false; ; again = true) {
    try {
      const db = await (opened ??= open())
      const tx = db.transaction(stores, mode, { durability }) as Tx<Mode>
      return await complete(tx, work)
    } catch (error) {
      if (again || !lostConnection(error)) throw error
      opened = undefined
    }
  }
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
