// Refuses queries of code inside a transaction through another connection than the transaction's.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '#server/adapters/database/database.ts'
import type { Db } from '#server/store/database.ts'

/** The functions of Drizzle that begin a statement; `_` has the session of prepared ones. */
const beginsStatement = new Set<string | symbol>([
  'select',
  'selectDistinct',
  'insert',
  'update',
  'delete',
  'execute',
  '_',
])

const inside = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs work as another request does at the same time, where a test starts it inside a transaction. */
export const asAnotherRequest = <T>(work: () => T): T => inside.exit(work)

/**
 * The same database. Inside a transaction each query through it throws: PGlite has one connection, and would wait for the
 * transaction forever; PostgreSQL's pool would, once as many transactions wait as it has connections.
 */
export function withOneConnection(database: Database): Database {
  const check = (): void => {
    if (inside.getStore()?.isOpen) throw new Error('a query inside a transaction does not use its connection')
  }
  const { db } = database
  const transaction: Db['transaction'] = (work, config) => {
    check()
    return db.transaction((tx) => {
      const state = { isOpen: true }
      return inside.run(state, async () => {
        try {
          return await work(tx)
        } finally {
          state.isOpen = false
        }
      })
    }, config)
  }
  return {
    ...database,
    db: new Proxy(db, {
      get(target, name): unknown {
        if (name === 'transaction') return transaction
        if (beginsStatement.has(name)) check()
        return Reflect.get(target, name, target)
      },
    }),
    executeSql(text, values) {
      check()
      return database.executeSql(text, values)
    },
  }
}
