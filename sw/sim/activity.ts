// Checks requests under way: one runner at a time, and none after its lock is free.
import type { QueueName } from './browser/browser.ts'
import type { Page } from './browser/page.ts'

const lineOf = (url: string): QueueName => (/\/(like|comments)$|\/follows\//.test(url) ? 'acts' : 'uploads')

export class Activity {
  readonly #say: (violation: string) => void
  readonly #active = new Map<Page, Record<QueueName, number>>()

  /** @param say receives each violation */
  constructor(say: (violation: string) => void) {
    this.#say = say
  }

  /** A living page begins a request. */
  enter(page: Page, url: string): void {
    const active = this.#active.get(page) ?? { uploads: 0, acts: 0 }
    this.#active.set(page, active)
    const line = lineOf(url)
    if (++active[line] > 1) this.#say(`8: ${active[line]} requests of one runner at a time`)
    const busy = [...this.#active].filter(([it, requests]) => it.alive && requests[line] > 0)
    if (busy.length > 1) this.#say('7: two runners at one time')
  }

  /** A request has ended: answered, failed, or aborted. */
  leave(page: Page, url: string): void {
    const active = this.#active.get(page)
    if (active) active[lineOf(url)]--
  }

  killed(page: Page): void {
    this.#active.delete(page)
  }

  /** A living page releases a lock. */
  freed(name: string, page: Page): void {
    const line = ({ 'todoke-drain': 'uploads', 'todoke-acts': 'acts' } as const)[name]
    if (line && (this.#active.get(page)?.[line] ?? 0) > 0)
      this.#say('7: the lock is free before the last request has ended')
  }
}
