// Checks the database and the storage at most once a second, however many callers wait.

export interface Checked {
  readonly database: boolean
  readonly storage: boolean
  /** When the check ended, ms since 1970. */
  readonly at: number
}

export interface Answer extends Checked {
  /** The answer is from memory because a newer check has not ended in time. */
  readonly stale: boolean
}

interface Ports {
  readonly database: () => Promise<void>
  readonly storage: () => Promise<void>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** An answer this young is given again without asking, ms. */
export const FRESH = 1000
/** A caller waits this long for a check when there is an earlier answer, ms. */
const WAIT = 500
/** Longest a check may take before it counts as failing, ms. */
const PATIENCE = 3000

function within<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise)
    timer.unref()
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

const works = (asked: Promise<void>): Promise<boolean> =>
  within(
    asked.then(
      () => true,
      () => false,
    ),
    PATIENCE,
    false,
  )

/** @returns a function that answers from memory, or after one check that all callers of the moment share */
export function createProbe({ database, storage, clock }: Ports): () => Promise<Answer> {
  let last: Checked | undefined
  let running: Promise<Checked> | undefined
  const check = async (): Promise<Checked> => {
    const [databaseWorks, storageWorks] = await Promise.all([works(database()), works(storage())])
    last = { database: databaseWorks, storage: storageWorks, at: clock() }
    running = undefined
    return last
  }
  return async () => {
    if (last && clock() - last.at < FRESH) return { ...last, stale: false }
    running ??= check()
    if (!last) return { ...(await running), stale: false }
    const answered = await within<Checked | undefined>(running, WAIT, undefined)
    return answered ? { ...answered, stale: false } : { ...last, stale: true }
  }
}
