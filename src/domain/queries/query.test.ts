// Reading: what two pages want at once is read once, for both.
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { getPrivacySettings, listBlocks } from '#contract/accounts/settings.ts'
import { createQueryClient, pagesFor, queryFor } from './query.ts'

afterEach(() => vi.unstubAllGlobals())

/** A slow server: it replies when the test tells it to, and an aborted call rejects. */
function slowServer(reply: unknown) {
  let answer = () => {}
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(
    (_url, { signal }) =>
      new Promise<Response>((done, failed) => {
        signal?.addEventListener('abort', () => failed(signal.reason))
        answer = () => done(Response.json(reply))
      }),
  )
  vi.stubGlobal('fetch', fetch)
  return { fetch, answer: () => answer() }
}

test('a page that is left does not take its read from the page that is opened', async () => {
  const settings = { message_from: 'everyone', shows_age_limited: true, shows_share_card: true }
  const { fetch, answer } = slowServer(settings)
  const client = createQueryClient()
  const query = queryFor(getPrivacySettings, {})
  const leave = new QueryObserver(client, query).subscribe(() => undefined)
  const opened = client.ensureQueryData(query)
  leave()
  answer()
  expect(await opened).toEqual(settings)
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('nor does a list', async () => {
  const { fetch, answer } = slowServer({ people: [], next: null })
  const client = createQueryClient()
  const query = pagesFor(listBlocks, {})
  const leave = new InfiniteQueryObserver(client, query).subscribe(() => undefined)
  const opened = client.ensureInfiniteQueryData(query)
  leave()
  answer()
  expect(await opened).toMatchObject({ pages: [{ next: null }] })
  expect(fetch).toHaveBeenCalledTimes(1)
})
