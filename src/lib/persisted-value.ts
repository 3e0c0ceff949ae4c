// One value in browser storage, parsed when it is read; in memory where the browser stores nothing.
import * as v from 'valibot'

/** Ready, or the browser's refusal to store anything (private mode, blocked cookies). */
type Place = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface PersistedValue<T> {
  readonly read: () => T | undefined
  readonly save: (value: T) => void
  readonly drop: () => void
}

/** One value under a name. What does not match its schema any more is not there. */
export function createPersistedValue<T>(
  place: Place,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): PersistedValue<T> {
  let here: T | undefined
  const trying = <R>(work: () => R): R | undefined => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  return {
    read() {
      const text = trying(() => place().getItem(name))
      if (text === null || text === undefined) return here
      const parsed = v.safeParse(
        schema,
        trying(() => JSON.parse(text) as unknown),
      )
      return parsed.success ? parsed.output : undefined
    },
    save(value) {
      here = value
      trying(() => place().setItem(name, JSON.stringify(value)))
    },
    drop() {
      here = undefined
      trying(() => place().removeItem(name))
    },
  }
}
