// Checks requests in progress: one runner at a time, and none after its lock.
import type { QueueName } from './browser/browser.ts'
import type { Page } from './browser/page.ts'

/** A message is sent by either queue: one with files by that of uploads. */
const hasMedia = (body: unknown): boolean =>
  typeof body === 'string' && (JSON.parse(body) as { media?: unknown[] }).media?.length !== undefined

const queueOf = (url: string, body: unknown): QueueName =>
  /\/(like|comments)$|\/follows\//.test(url) || (url.endsWith('/messages') && !hasMedia(body))
    ? 'mutations'
    : 'uploads'

export class ActiveRequests {
  readonly #report: (violation: string) => void
  readonly #active = new Map<Page, Record<QueueName, number>>()

  /** @param report receives each violation */
  constructor(report: (violation: string) => void) {
    this.#report = report
  }

  /** A living page begins a request. */
  enter(page: Page, url: string, body: unknown): void {
    const active = this.#active.get(page) ?? { uploads: 0, mutations: 0 }
    this.#active.set(page, active)
    const queue = queueOf(url, body)
    if (++active[queue] > 1) this.#report(`8: ${active[queue]} requests of one runner at a time`)
    const busy = [...this.#active].filter(([it, requests]) => it.alive && requests[queue] > 0)
    if (busy.length > 1) this.#report('7: two runners at one time')
  }

  /** A request has ended: answered, failed, or aborted. */
  leave(page: Page, url: string, body: unknown): void {
    const active = this.#active.get(page)
    if (active) active[queueOf(url, body)]--
  }

  /** A page has ended. */
  onPageEnd(page: Page): void {
    this.#active.delete(page)
  }

  /** A living page releases a lock. */
  onRelease(name: string, page: Page): void {
    const queue = ({ 'todoke-drain': 'uploads', 'todoke-acts': 'mutations' } as const)[name]
    if (queue && (this.#active.get(page)?.[queue] ?? 0) > 0)
      this.#report('7: the lock is free before the last request has ended')
  }
}
