// A missing chunk: a new version is offered, or the page reloads.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handleMissingChunks } from './chunk-load-error.ts'

let page: EventTarget
let offers: number
let reloads: number
beforeEach(() => {
  page = new EventTarget()
  offers = 0
  reloads = 0
  const rows = new Map<string, string>()
  vi.stubGlobal('window', page)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', { reload: () => void (reloads += 1) })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
  })
})
afterEach(() => void vi.unstubAllGlobals())

interface Given {
  readonly isGoing?: boolean
  /** The result of a request to the server. */
  readonly server?: Promise<unknown>
}

function follow({ isGoing = false, server = Promise.resolve() }: Given = {}): void {
  handleMissingChunks(
    () => isGoing,
    () => void (offers += 1),
    () => server,
  )
}

/** Reports a missing chunk. */
async function lose(): Promise<void> {
  const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), {
    payload: new Error('Failed to fetch dynamically imported module'),
  })
  page.dispatchEvent(event)
  await new Promise(setImmediate)
}

test('a new version is offered when the server responds and no page is being opened', async () => {
  follow()
  await lose()
  expect([offers, reloads]).toEqual([1, 0])
})

test('behind a captive portal no new version is offered', async () => {
  follow({ server: Promise.reject(new Error('foreign')) })
  await lose()
  expect([offers, reloads]).toEqual([0, 0])
})

test('without network nothing is offered and nothing is reloaded', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  follow({ isGoing: true })
  await lose()
  expect([offers, reloads]).toEqual([0, 0])
})

test('a page that is being opened is reloaded once, and not again shortly after', async () => {
  follow({ isGoing: true })
  await lose()
  expect([offers, reloads]).toEqual([0, 1])
  await lose()
  expect([offers, reloads]).toEqual([0, 1])
})

test('a page that is being opened stays where the server does not respond: a reload would lose it', async () => {
  follow({ isGoing: true, server: Promise.reject(new Error('offline')) })
  await lose()
  expect([offers, reloads]).toEqual([0, 0])
})

test('the router does not reload the page by itself', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  follow({ isGoing: true })
  await lose()
  expect(sessionStorage.getItem('tanstack_router_reload:Failed to fetch dynamically imported module')).toBe(
    '1',
  )
})
