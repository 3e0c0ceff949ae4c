// Web Locks of one simulated browser.
type Mode = 'shared' | 'exclusive'
type LockCallback = () => unknown

interface LockOwner {
  readonly alive: boolean
}
interface Entry {
  name: string
  mode: Mode
  page: LockOwner
  grant: () => void
}

export class SimLocks {
  /** Called when a living page releases a lock. */
  onRelease: (name: string, page: LockOwner) => void = () => {}
  /** Planted fault: every request is granted at once. */
  grantsAll = false
  #held: Entry[] = []
  #queue: Entry[] = []

  /** `navigator.locks` of one page. */
  globalFor(page: LockOwner) {
    return {
      request: (name: string, ...rest: unknown[]): Promise<unknown> => {
        const work = rest.at(-1) as LockCallback
        const { mode = 'exclusive' } = rest.length > 1 ? (rest[0] as { mode?: Mode }) : {}
        return this.#request(name, mode, page, work)
      },
      query: () =>
        Promise.resolve({ held: this.#held.map(({ name, mode }) => ({ name, mode })), pending: [] }),
    }
  }

  async #request(name: string, mode: Mode, page: LockOwner, work: LockCallback): Promise<unknown> {
    if (!page.alive) return new Promise(() => {})
    const entry: Entry = { name, mode, page, grant: () => {} }
    const granted = new Promise<void>((resolve) => (entry.grant = resolve))
    this.#queue.push(entry)
    this.#grantFree()
    await granted
    try {
      return await work()
    } finally {
      if (page.alive) {
        this.onRelease(name, page)
        this.#held = this.#held.filter((it) => it !== entry)
        this.#grantFree()
      }
    }
  }

  #grantFree(): void {
    for (const entry of this.#queue) {
      const others = this.#held.filter((it) => it.name === entry.name)
      const isFree =
        others.length === 0 || (entry.mode === 'shared' && others.every((it) => it.mode === 'shared'))
      if (!isFree && !this.grantsAll) continue
      this.#queue = this.#queue.filter((it) => it !== entry)
      this.#held.push(entry)
      entry.grant()
    }
  }

  isHeld(name: string): boolean {
    return this.#held.some((it) => it.name === name)
  }

  /** Releases the locks of a page that has ended. */
  onPageEnd(page: LockOwner): void {
    this.#queue = this.#queue.filter((it) => it.page !== page)
    this.#held = this.#held.filter((it) => it.page !== page)
    this.#grantFree()
  }
}
