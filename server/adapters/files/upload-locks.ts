// Lock per upload within this process; a newer request asks the older one to yield.
import { ERRORS, type Lock, type Locker } from '@tus/server'

interface Holder {
  readonly letGo: () => void | Promise<void>
  readonly waiting: (() => void)[]
}

/** Longest a request waits for the upload, ms. */
const PATIENCE = 10_000

export class UploadLocks implements Locker {
  readonly #held = new Map<string, Holder>()

  /**
   * Runs work with exclusive access to an upload.
   * @param work receives whether it had to wait for others
   * @param letGo another caller waits: long work should end soon; short work need not
   * @throws ERRORS.ERR_LOCK_TIMEOUT when others do not release it
   */
  async alone<T>(
    id: string,
    work: (waited: boolean) => Promise<T>,
    letGo: () => void = () => undefined,
  ): Promise<T> {
    const waited = this.#held.has(id)
    const lock = this.newLock(id)
    await lock.lock(new AbortController().signal, letGo)
    try {
      return await work(waited)
    } finally {
      await lock.unlock()
    }
  }

  newLock(id: string): Lock {
    const held = this.#held
    return {
      async lock(signal, letGo) {
        const giveUpAt = Date.now() + PATIENCE
        for (let holder = held.get(id); holder; holder = held.get(id)) {
          void holder.letGo()
          await released(holder, signal, giveUpAt - Date.now())
          if (signal.aborted || Date.now() >= giveUpAt) throw ERRORS.ERR_LOCK_TIMEOUT
        }
        held.set(id, { letGo, waiting: [] })
      },
      async unlock() {
        const holder = held.get(id)
        held.delete(id)
        for (const wake of holder?.waiting ?? []) wake()
      },
    }
  }
}

function released(holder: Holder, signal: AbortSignal, patience: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.max(0, patience))
    signal.addEventListener('abort', done, { once: true })
    holder.waiting.push(done)
  })
}
