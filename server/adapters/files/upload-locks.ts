// Locks of uploads in this process; a newer request makes the holder end.
import { ERRORS, type Lock, type Locker } from '@tus/server'

/** What a request knows of the lock that it has. */
export interface UploadHold {
  /** Whether another request had it before. */
  readonly waited: boolean
  /** Called before bytes are written. @throws ERRORS.ERR_LOCK_TIMEOUT when another request may have the lock by now */
  mustLast(): void
}

export interface UploadLocks extends Locker {
  /**
   * Runs work with exclusive access to an upload.
   * @param onWaiting called when another caller waits: long work should end soon
   * @throws ERRORS.ERR_LOCK_TIMEOUT when others do not release the lock
   */
  withLock<T>(id: string, work: (hold: UploadHold) => Promise<T>, onWaiting?: () => void): Promise<T>
}

/** A locker that says what a holder knows. */
interface HoldLocker extends Locker {
  holdOf(id: string): UploadHold
}

/** Longest a request waits for the upload, ms. */
export const LOCK_TIMEOUT_MS = 10_000

/** `UploadLocks.withLock` by the locks of a locker. */
export async function withLockOf<T>(
  locks: HoldLocker,
  id: string,
  work: (hold: UploadHold) => Promise<T>,
  onWaiting: () => void = () => undefined,
): Promise<T> {
  const lock = locks.newLock(id)
  await lock.lock(new AbortController().signal, onWaiting)
  try {
    return await work(locks.holdOf(id))
  } finally {
    await lock.unlock()
  }
}

interface Holder {
  readonly waited: boolean
  readonly onWaiting: () => void | Promise<void>
  readonly waiting: (() => void)[]
}

export class LocalUploadLocks implements UploadLocks, HoldLocker {
  readonly #held = new Map<string, Holder>()
  readonly #timeoutMs: number

  constructor(timeoutMs = LOCK_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs
  }

  withLock<T>(id: string, work: (hold: UploadHold) => Promise<T>, onWaiting?: () => void): Promise<T> {
    return withLockOf(this, id, work, onWaiting)
  }

  /** The lock of a process lasts until it is released. */
  holdOf(id: string): UploadHold {
    return { waited: this.#held.get(id)?.waited === true, mustLast: () => undefined }
  }

  newLock(id: string): Lock {
    const held = this.#held
    const timeoutMs = this.#timeoutMs
    return {
      async lock(signal, onWaiting) {
        const giveUpAt = Date.now() + timeoutMs
        let waited = false
        for (let holder = held.get(id); holder; holder = held.get(id)) {
          waited = true
          void holder.onWaiting()
          await released(holder, signal, giveUpAt - Date.now())
          if (signal.aborted || Date.now() >= giveUpAt) throw ERRORS.ERR_LOCK_TIMEOUT
        }
        held.set(id, { waited, onWaiting, waiting: [] })
      },
      async unlock() {
        const holder = held.get(id)
        held.delete(id)
        for (const wake of holder?.waiting ?? []) wake()
      },
    }
  }
}

function released(holder: Holder, signal: AbortSignal, timeout: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.max(0, timeout))
    signal.addEventListener('abort', done, { once: true })
    holder.waiting.push(done)
  })
}
