// One value in browser storage, parsed at each read; in memory without storage.
import * as v from 'valibot'

/** Returns the storage; throws where the browser denies it (private mode, blocked cookies). */
type StorageAccess = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface PersistedValue<T> {
  readonly read: () => T | undefined
  readonly save: (value: T) => void
  readonly remove: () => void
}

/** A value under a name. A stored text that does not match the schema is ignored. */
export function createPersistedValue<T>(
  storage: StorageAccess,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): PersistedValue<T> {
  let inMemory: T | undefined
  const attempt = <R>(work: () => R): R | undefined => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  return {
    read() {
      const text = attempt(() => storage().getItem(name))
      if (text === null || text === undefined) return inMemory
      const parsed = v.safeParse(
        schema,
        attempt(() => JSON.parse(text) as unknown),
      )
      return parsed.success ? parsed.output : undefined
    },
    save(value) {
      inMemory = value
      attempt(() => storage().setItem(name, JSON.stringify(value)))
    },
    remove() {
      inMemory = undefined
      attempt(() => storage().removeItem(name))
    },
  }
}
