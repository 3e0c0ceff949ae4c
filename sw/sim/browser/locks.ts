// Web Locks of one simulated browser.
type Mode = 'shared' | 'exclusive'
type Held = () => unknown

interface Holder {
  readonly alive: boolean
}
interface Entry {
  name: string
  mode: Mode
  page: Holder
  grant: () => void
}

export class SimLocks {
  /** Called when a living page releases a lock. */
  freed: (name: string, page: Holder) => void = () => {}
  /** Planted: every request is granted at once. */
  open = false
  #held: Entry[] = []
  #queue: Entry[] = []

  /** `navigator.locks` of one page. */
  globalFor(page: Holder) {
    return {
      request: (name: string, ...rest: unknown[]): Promise<unknown> => {
        const work = rest.at(-1) as Held
        const { mode = 'exclusive' } = rest.length > 1 ? (rest[0] as { mode?: Mode }) : {}
        return this.#request(name, mode, page, work)
      },
      query: () =>
        Promise.resolve({ held: this.#held.map(({ name, mode }) => ({ name, mode })), pending: [] }),
    }
  }

  async #request(name: string, mode: Mode, page: Holder, work: Held): Promise<unknown> {
    if (!page.alive) return new Promise(() => {})
    const entry: Entry = { name, mode, page, grant: () => {} }
    const granted = new Promise<void>((resolve) => (entry.grant = resolve))
    this.#queue.push(entry)
    this.#next()
    await granted
    try {
      return await work()
    } finally {
      if (page.alive) {
        this.freed(name, page)
        this.#held = this.#held.filter((it) => it !== entry)
        this.#next()
      }
    }
  }

  #next(): void {
    for (const entry of this.#queue) {
      const others = this.#held.filter((it) => it.name === entry.name)
      const free =
        others.length === 0 || (entry.mode === 'shared' && others.every((it) => it.mode === 'shared'))
      if (!free && !this.open) continue
      this.#queue = this.#queue.filter((it) => it !== entry)
      this.#held.push(entry)
      entry.grant()
    }
  }

  isHeld(name: string): boolean {
    return this.#held.some((it) => it.name === name)
  }

  /** A page is gone, and its locks with it. */
  killed(page: Holder): void {
    this.#queue = this.#queue.filter((it) => it.page !== page)
    this.#held = this.#held.filter((it) => it.page !== page)
    this.#next()
  }
}
