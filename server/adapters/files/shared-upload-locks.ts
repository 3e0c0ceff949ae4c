// Locks of uploads for several servers, each with a lease in one Redis.
import { randomUUID } from 'node:crypto'
import { ERRORS, type Lock } from '@tus/server'
import type { RedisCommands } from '#server/adapters/redis.ts'
import type { Topics } from '#server/adapters/topics/topics.ts'
import {
  type UploadHold,
  LOCK_TIMEOUT_MS,
  LocalUploadLocks,
  type UploadLocks,
  withLockOf,
} from './upload-locks.ts'

const TOPIC = 'todoke:upload-locks'
const keyOf = (id: string) => `todoke:upload-lock:${id}`

/** Time after which the lock of a dead server is free, ms: shorter than requests wait. */
const LEASE_MS = 6000
/** Time after which a waiting request tries again without a message, ms. */
const RETRY_MS = 250

const RENEW = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

interface Lease {
  readonly token: string
  readonly waited: boolean
  readonly onWaiting: () => void | Promise<void>
  /** Whether another server waits, which gets a message when the lock is free. */
  isWanted: boolean
  /** By the clock of this process, ms; Redis keeps the key at least as long. */
  until: number
  readonly stop: () => void
}

export interface SharedLockOptions {
  readonly timeoutMs?: number
  readonly leaseMs?: number
  /** A clock that also runs while the process is paused, ms. */
  readonly now?: () => number
}

/**
 * While Redis does not reply, each server locks for itself. A lock only keeps requests from working against each
 * other: what may not happen twice is decided by the rows, and bytes by their digest (decision 101).
 */
export class SharedUploadLocks implements UploadLocks {
  readonly #redis: RedisCommands
  readonly #topics: Topics
  readonly #local: LocalUploadLocks
  readonly #timeoutMs: number
  readonly #leaseMs: number
  readonly #now: () => number
  readonly #leases = new Map<string, Lease>()
  readonly #waiting = new Map<string, () => void>()

  constructor(redis: RedisCommands, topics: Topics, options: SharedLockOptions = {}) {
    this.#redis = redis
    this.#topics = topics
    this.#timeoutMs = options.timeoutMs ?? LOCK_TIMEOUT_MS
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#now = options.now ?? (() => performance.now())
    this.#local = new LocalUploadLocks(this.#timeoutMs)
    topics.subscribe(TOPIC, {
      received: (message) => this.#received(message.toString()),
      // A waiting request tries again by itself.
      missed: () => undefined,
    })
  }

  withLock<T>(id: string, work: (hold: UploadHold) => Promise<T>, onWaiting?: () => void): Promise<T> {
    return withLockOf(this, id, work, onWaiting)
  }

  holdOf(id: string): UploadHold {
    const lease = this.#leases.get(id)
    const { waited } = this.#local.holdOf(id)
    return {
      waited: waited || lease?.waited === true,
      mustLast: () => {
        if (lease && this.#now() >= lease.until) throw ERRORS.ERR_LOCK_TIMEOUT
      },
    }
  }

  newLock(id: string): Lock {
    const local = this.#local.newLock(id)
    const token = randomUUID()
    return {
      lock: async (signal, onWaiting) => {
        const giveUpAt = Date.now() + this.#timeoutMs
        await local.lock(signal, onWaiting)
        try {
          const lease = await this.#acquire(id, token, { signal, onWaiting, giveUpAt })
          if (lease) this.#leases.set(id, lease)
        } catch (error) {
          await local.unlock()
          throw error
        }
      },
      unlock: async () => {
        const lease = this.#leases.get(id)
        this.#leases.delete(id)
        lease?.stop()
        await this.#release(id, token, lease?.isWanted === true)
        await local.unlock()
      },
    }
  }

  /** @returns undefined when Redis does not reply */
  async #acquire(
    id: string,
    token: string,
    request: {
      readonly signal: AbortSignal
      readonly onWaiting: Lease['onWaiting']
      readonly giveUpAt: number
    },
  ): Promise<Lease | undefined> {
    for (let waited = false; ; waited = true) {
      const sentAt = this.#now()
      const taken = await this.#redis.set(keyOf(id), token, 'PX', this.#leaseMs, 'NX').catch(() => undefined)
      if (taken === undefined) return undefined
      if (taken === 'OK') return this.#leaseOf(id, { token, waited, onWaiting: request.onWaiting, sentAt })
      this.#announce('wanted', id)
      await this.#freed(id, request.signal)
      if (request.signal.aborted || Date.now() >= request.giveUpAt) throw ERRORS.ERR_LOCK_TIMEOUT
    }
  }

  #leaseOf(
    id: string,
    { token, waited, onWaiting, sentAt }: Pick<Lease, 'token' | 'waited' | 'onWaiting'> & { sentAt: number },
  ): Lease {
    const timer = setInterval(() => void this.#renew(id, lease), this.#leaseMs / 3)
    timer.unref()
    const stop = () => clearInterval(timer)
    const lease: Lease = { token, waited, onWaiting, isWanted: false, until: sentAt + this.#leaseMs, stop }
    return lease
  }

  async #renew(id: string, lease: Lease): Promise<void> {
    const sentAt = this.#now()
    // Redis may have given the lock to another server in the meantime, and this one cannot know.
    if (sentAt >= lease.until) return this.#lost(lease)
    const renewed = await this.#redis
      .eval(RENEW, 1, keyOf(id), lease.token, this.#leaseMs)
      .catch(() => undefined)
    if (renewed === 1) lease.until = sentAt + this.#leaseMs
    else if (renewed === 0) this.#lost(lease)
  }

  #lost(lease: Lease): void {
    lease.until = Number.NEGATIVE_INFINITY
    lease.stop()
    void lease.onWaiting()
  }

  async #release(id: string, token: string, isWanted: boolean): Promise<void> {
    // Also after a lease without a reply: Redis may have set the key and lost the reply.
    await this.#redis.eval(RELEASE, 1, keyOf(id), token).catch(() => undefined)
    if (isWanted) this.#announce('free', id)
  }

  #announce(what: 'wanted' | 'free', id: string): void {
    this.#topics.publish(TOPIC, Buffer.from(`${what} ${id}`), 'nothing')
  }

  #received(text: string): void {
    const [what, id = ''] = text.split(' ')
    if (what === 'free') return this.#waiting.get(id)?.()
    const lease = this.#leases.get(id)
    if (!lease) return
    lease.isWanted = true
    void lease.onWaiting()
  }

  /** Waits until another server has released the lock, a while, or until the request ends. */
  #freed(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        this.#waiting.delete(id)
        resolve()
      }
      const timer = setTimeout(done, RETRY_MS)
      signal.addEventListener('abort', done, { once: true })
      this.#waiting.set(id, done)
    })
  }
}
