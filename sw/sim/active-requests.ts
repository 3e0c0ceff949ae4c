// Checks requests in progress: one runner at a time, and none after its lock.
import type { QueueName } from './browser/browser.ts'
import { addsBytes } from './network/exchange.ts'
import type { Page } from './browser/page.ts'

/** A message is sent by either queue: one with files by that of uploads. */
const hasMedia = (body: unknown): boolean =>
  typeof body === 'string' && (JSON.parse(body) as { media?: unknown[] }).media?.length !== undefined

const queueOf = (url: string, body: unknown): QueueName =>
  /\/(like|comments)$|\/follows\//.test(url) || (url.endsWith('/messages') && !hasMedia(body))
    ? 'mutations'
    : 'uploads'

/** Requests of one page that have not ended, by their queue. */
type Active = Record<QueueName, string[]>

/** Whether these requests of one runner may be sent at the same time: two, for two parts of one upload. */
function mayBeTogether(urls: readonly string[]): boolean {
  const arePartsOfOne = urls.every((url) => addsBytes({ method: 'PUT', path: url }))
  const uploads = new Set(urls.map((url) => url.slice(0, url.lastIndexOf('/'))))
  return urls.length < 2 || (urls.length === 2 && arePartsOfOne && uploads.size === 1 && urls[0] !== urls[1])
}

export class ActiveRequests {
  readonly #report: (violation: string) => void
  readonly #active = new Map<Page, Active>()

  /** @param report receives each violation */
  constructor(report: (violation: string) => void) {
    this.#report = report
  }

  /** A living page begins a request. */
  enter(page: Page, url: string, body: unknown): void {
    const active = this.#active.get(page) ?? { uploads: [], mutations: [] }
    this.#active.set(page, active)
    const queue = queueOf(url, body)
    const urls = active[queue]
    urls.push(url)
    if (!mayBeTogether(urls)) this.#report(`8: requests of one runner at a time: ${urls.length}`)
    const busy = [...this.#active].filter(([it, requests]) => it.alive && requests[queue].length > 0)
    if (busy.length > 1) this.#report('7: two runners at one time')
  }

  /** A request has ended: answered, failed, or aborted. */
  leave(page: Page, url: string, body: unknown): void {
    const urls = this.#active.get(page)?.[queueOf(url, body)]
    const at = urls?.indexOf(url) ?? -1
    if (at >= 0) urls?.splice(at, 1)
  }

  /** A page has ended. */
  onPageEnd(page: Page): void {
    this.#active.delete(page)
  }

  /** A living page releases a lock. */
  onRelease(name: string, page: Page): void {
    const queue = ({ 'todoke-drain': 'uploads', 'todoke-acts': 'mutations' } as const)[name]
    if (queue && (this.#active.get(page)?.[queue].length ?? 0) > 0)
      this.#report('7: the lock is free before the last request has ended')
  }
}
