// A database whose server can be killed before any statement, before and after each commit.
import type { Database } from '#server/adapters/database/database.ts'
import type { Db } from '#server/store/database.ts'

/** Thrown in place of every statement of a killed server. */
class Killed extends Error {}

export interface Crashes {
  /** The database of the server that can be killed. */
  readonly database: Database
  /** Kills the server after so many more statements and commits; 0 kills it before the next one. */
  killAfter(points: number): void
  /** Starts the server again. @returns whether it was killed */
  restart(): boolean
  /** Statements and commits since the last restart. */
  readonly points: number
}

/** The functions of Drizzle that begin a statement; `_` has the session of prepared ones. */
const beginsStatement = new Set<string | symbol>(['select', 'insert', 'update', 'delete', 'execute', '_'])

export function createCrashes(database: Database): Crashes {
  const state = { left: Number.POSITIVE_INFINITY, isDead: false, points: 0 }
  const point = (): void => {
    state.points += 1
    if (state.left <= 0) state.isDead = true
    state.left -= 1
    if (state.isDead) throw new Killed('the server was killed')
  }
  return {
    database: { ...database, db: counted(database.db, point), close: async () => undefined },
    killAfter(points) {
      state.left = points
    },
    restart() {
      const was = state.isDead
      Object.assign(state, { left: Number.POSITIVE_INFINITY, isDead: false, points: 0 })
      return was
    },
    get points() {
      return state.points
    },
  }
}

/** The same connection, which calls `point` before each statement, before each commit and after it. */
function counted(db: Db, point: () => void): Db {
  const transaction: Db['transaction'] = async (work, config) => {
    const result = await db.transaction(async (tx) => {
      const done = await work(counted(tx, point) as typeof tx)
      point()
      return done
    }, config)
    point()
    return result
  }
  return new Proxy(db, {
    get(target, name): unknown {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name, target)
      if (!beginsStatement.has(name)) return value
      if (typeof value !== 'function') {
        point()
        return value
      }
      return (...args: unknown[]): unknown => {
        point()
        return Reflect.apply(value, target, args)
      }
    },
  })
}
