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

/** Reports a missing chunk. @returns whether the page was reloaded */
async function lose(): Promise<boolean> {
  const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), {
    payload: new Error('Failed to fetch dynamically imported module'),
  })
  const isPassed = page.dispatchEvent(event)
  await new Promise(setImmediate)
  return !isPassed
}

test('a new version is offered when the server responds and no page is being opened', async () => {
  follow()
  expect([await lose(), offers, reloads]).toEqual([false, 1, 0])
})

test('behind a captive portal no new version is offered', async () => {
  follow({ server: Promise.reject(new Error('foreign')) })
  expect([await lose(), offers, reloads]).toEqual([false, 0, 0])
})

test('without network nothing is offered and nothing is reloaded', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  follow({ isGoing: true })
  expect([await lose(), offers, reloads]).toEqual([false, 0, 0])
})

test('a page that is being opened is reloaded once, and not again shortly after', async () => {
  follow({ isGoing: true })
  expect([await lose(), offers, reloads]).toEqual([true, 0, 1])
  expect([await lose(), offers, reloads]).toEqual([false, 0, 1])
})
