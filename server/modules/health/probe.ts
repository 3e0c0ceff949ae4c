// Checks the database and the storage at most once a second, however many callers wait.

export interface CheckResult {
  readonly database: boolean
  readonly storage: boolean
  /** When the check ended, ms since 1970. */
  readonly at: number
}

export interface Health extends CheckResult {
  /** Whether this is an earlier result, because a newer check has not ended in time. */
  readonly stale: boolean
}

interface Ports {
  readonly database: () => Promise<void>
  readonly storage: () => Promise<void>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** A result this recent is returned again without another check, ms. */
export const FRESH = 1000
/** A caller waits this long for a check when there is an earlier result, ms. */
const MAX_WAIT = 500
/** A check that takes longer than this has failed, ms. */
const CHECK_TIMEOUT = 3000

function withTimeout<T>(promise: Promise<T>, ms: number, fallback: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, fallback)
    timer.unref()
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

const succeeds = (check: Promise<void>): Promise<boolean> =>
  withTimeout(
    check.then(
      () => true,
      () => false,
    ),
    CHECK_TIMEOUT,
    false,
  )

/** @returns a function that returns a recent result, or the result of one check that simultaneous callers share */
export function createProbe({ database, storage, clock }: Ports): () => Promise<Health> {
  let last: CheckResult | undefined
  let running: Promise<CheckResult> | undefined
  const check = async (): Promise<CheckResult> => {
    const [isDatabaseUp, isStorageUp] = await Promise.all([succeeds(database()), succeeds(storage())])
    last = { database: isDatabaseUp, storage: isStorageUp, at: clock() }
    running = undefined
    return last
  }
  return async () => {
    if (last && clock() - last.at < FRESH) return { ...last, stale: false }
    running ??= check()
    if (!last) return { ...(await running), stale: false }
    const result = await withTimeout<CheckResult | undefined>(running, MAX_WAIT, undefined)
    return result ? { ...result, stale: false } : { ...last, stale: true }
  }
}
