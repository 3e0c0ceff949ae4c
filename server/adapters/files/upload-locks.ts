// Locks uploads in this process; a newer request makes the current holder release its lock.
import { ERRORS, type Lock, type Locker } from '@tus/server'

interface Holder {
  readonly onWaiting: () => void | Promise<void>
  readonly waiting: (() => void)[]
}

/** Longest a request waits for the upload, ms. */
const LOCK_TIMEOUT_MS = 10_000

export class UploadLocks implements Locker {
  readonly #held = new Map<string, Holder>()

  /**
   * Runs work with exclusive access to an upload.
   * @param work receives whether it had to wait for others
   * @param onWaiting called when another caller waits: long work should end soon
   * @throws ERRORS.ERR_LOCK_TIMEOUT when others do not release the lock
   */
  async withLock<T>(
    id: string,
    work: (waited: boolean) => Promise<T>,
    onWaiting: () => void = () => undefined,
  ): Promise<T> {
    const waited = this.#held.has(id)
    const lock = this.newLock(id)
    await lock.lock(new AbortController().signal, onWaiting)
    try {
      return await work(waited)
    } finally {
      await lock.unlock()
    }
  }

  newLock(id: string): Lock {
    const held = this.#held
    return {
      async lock(signal, onWaiting) {
        const giveUpAt = Date.now() + LOCK_TIMEOUT_MS
        for (let holder = held.get(id); holder; holder = held.get(id)) {
          void holder.onWaiting()
          await released(holder, signal, giveUpAt - Date.now())
          if (signal.aborted || Date.now() >= giveUpAt) throw ERRORS.ERR_LOCK_TIMEOUT
        }
        held.set(id, { onWaiting, waiting: [] })
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
