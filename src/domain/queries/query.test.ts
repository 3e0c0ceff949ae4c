// Two pages that read the same query share one request.
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { getPrivacySettings, listBlocks } from '#contract/accounts/settings.ts'
import { createQueryClient, pagesFor, queryFor } from './query.ts'

afterEach(() => vi.unstubAllGlobals())

/** A server whose reply the test sends; an aborted call rejects. */
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
  return { fetch, reply: () => answer() }
}

test('leaving a page does not cancel a read of the page that opens', async () => {
  const settings = {
    message_from: 'everyone',
    sends_read_marks: true,
    shows_message_text: true,
    shows_age_limited: true,
    shows_share_card: true,
    shows_presence: false,
  }
  const { fetch, reply } = slowServer(settings)
  const client = createQueryClient()
  const query = queryFor(getPrivacySettings, {})
  const leave = new QueryObserver(client, query).subscribe(() => undefined)
  const opened = client.ensureQueryData(query)
  leave()
  reply()
  expect(await opened).toEqual(settings)
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('leaving a list does not cancel a read of the page that opens', async () => {
  const { fetch, reply } = slowServer({ people: [], next: null })
  const client = createQueryClient()
  const query = pagesFor(listBlocks, {})
  const leave = new InfiniteQueryObserver(client, query).subscribe(() => undefined)
  const opened = client.ensureInfiniteQueryData(query)
  leave()
  reply()
  expect(await opened).toMatchObject({ pages: [{ next: null }] })
  expect(fetch).toHaveBeenCalledTimes(1)
})
