// Requests of tus-js-client over `fetch`: how they stop, and which refusals continue.
import { expect, test } from 'vitest'
import { RESPONSE_HEADER } from '#contract/response.ts'
import type { Fetch } from '#sw/queue/ports.ts'
import { neverAborted } from '#sw/testing/queue-calls.ts'
import { stillClock, storeWith } from '#sw/testing/scripted-server.ts'
import { createHttpStack } from './http-stack.ts'

const endpoint = 'https://todoke.test/upload-chunking-2'

function requestOf(method: string, fetch: Fetch, signal: AbortSignal) {
  const caller = { fetch, clock: stillClock, store: storeWith({}) }
  const stack = createHttpStack(caller, { endpoint, size: 10, server: undefined }, signal, 0)
  return stack.createRequest(method, `${endpoint}/a`)
}

/** A `fetch` that lasts until it is aborted; `begun` resolves with its first call. */
function lasting() {
  const begun = Promise.withResolvers<void>()
  const fetch: Fetch = (_url, { signal }) =>
    new Promise((_resolve, reject) => {
      begun.resolve()
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    })
  return { fetch, begun: begun.promise }
}

test('a request that is made after its step was stopped is not sent', async () => {
  let sent = 0
  const fetch: Fetch = async () => (sent++, new Response(null, { headers: { [RESPONSE_HEADER]: '1' } }))
  const request = requestOf('DELETE', fetch, AbortSignal.abort())
  await expect(request.send(null)).rejects.toMatchObject({ end: { is: 'stopped' } })
  expect(sent).toBe(0)
})

test('a request ends as stopped with its step, and when tus-js-client aborts it', async () => {
  const stop = new AbortController()
  const [first, second] = [lasting(), lasting()]
  const byStep = requestOf('HEAD', first.fetch, stop.signal).send(null)
  const request = requestOf('HEAD', second.fetch, neverAborted)
  const byLibrary = request.send(null)
  await Promise.all([first.begun, second.begun])
  stop.abort()
  await request.abort()
  await expect(byStep).rejects.toMatchObject({ end: { is: 'stopped' } })
  await expect(byLibrary).rejects.toMatchObject({ end: { is: 'stopped' } })
})

test.each([
  ['PATCH', 204],
  ['HEAD', 409],
  ['POST', 409],
])('a refusal with the offset of the upload has for %s the status %i', async (method, status) => {
  const fetch: Fetch = async () =>
    Response.json(
      { error: { code: 'offset_mismatch' } },
      { status: 409, headers: { [RESPONSE_HEADER]: '1', 'Upload-Offset': '4' } },
    )
  const response = await requestOf(method, fetch, neverAborted).send(null)
  expect(response.getStatus()).toBe(status)
})
