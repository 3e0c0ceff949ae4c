// Responses are cached for one account, and removed when access ended.
import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { type PostView } from '#contract/posts/posts.ts'
import { responseKey } from '#contract/search/reading-keys.ts'
import { getPrivacySettings } from '#contract/accounts/settings.ts'
import { listResponses, readResponse, saveResponse } from '#device/cache/responses.ts'
import { bearer } from '#src/domain/api/api.ts'
import { changePostIn } from './post-cache.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { UNCONFIRMED_MS } from '#device/cache/access-expiry.ts'
import {
  cachedOf,
  cachedReading,
  error,
  latest,
  me,
  one,
  post,
} from '#src/domain/queries/testing/cached-reading.ts'

const reading = cachedReading()
const { openPage, readOnce } = reading

test.each([
  [404, 'not_found'],
  [410, 'gone'],
  [403, 'forbidden'],
] as const)(
  'a response that the server refuses with %s %s is removed from the device',
  async (status, code) => {
    const it = post()
    await readOnce(it)
    reading.server = () => error(status, code)
    await expect(openPage().ensureQueryData(one(it.id))).rejects.toMatchObject({ code })
    await expect.poll(() => cachedOf(one(it.id).queryKey)).toBeUndefined()
  },
)

test('a refused session shows no cached response', async () => {
  const it = post()
  await readOnce(it)
  reading.server = () => error(401, 'unauthenticated')
  await expect(openPage().ensureQueryData(one(it.id))).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('with another token nothing is read from the cache or stored in it', async () => {
  const it = post()
  await readOnce(it)
  bearer.token = 'b'
  reading.server = () => undefined
  await expect(openPage().ensureQueryData(one(it.id))).rejects.toMatchObject({ code: 'offline' })
  const other = post()
  reading.server = () => Response.json(other)
  const client = openPage()
  await client.ensureQueryData(one(other.id))
  window.dispatchEvent(new Event('pagehide'))
  await expect.poll(() => listResponses(me)).toHaveLength(1)
})

test('an endpoint without caching stores nothing', async () => {
  reading.server = () =>
    Response.json({
      message_from: 'everyone',
      sends_read_marks: true,
      shows_message_text: true,
      shows_age_limited: true,
      shows_share_card: true,
      shows_presence: false,
    })
  const query = queryFor(getPrivacySettings, {})
  const client = openPage()
  await client.ensureQueryData(query)
  const it = post()
  reading.server = () => Response.json(it)
  await client.ensureQueryData(one(it.id))
  await expect.poll(() => listResponses(me)).toHaveLength(1)
  reading.server = () => undefined
  await expect(openPage().ensureQueryData(query)).rejects.toMatchObject({ code: 'offline' })
  expect(await listResponses(me)).toMatchObject([{ value: { id: it.id } }])
})

test('a mutation of one’s own changes the cached response but not its age', async () => {
  const it = post()
  await readOnce(it)
  const before = await cachedOf(one(it.id).queryKey)
  reading.server = () => undefined
  const client = openPage()
  await client.ensureQueryData(one(it.id))
  await expect.poll(() => client.getQueryState(one(it.id).queryKey)?.error).not.toBeNull()
  changePostIn(client, it.id, (old) => ({ ...old, liked: true }))
  expect(client.getQueryState(one(it.id).queryKey)).toMatchObject({
    isInvalidated: true,
    dataUpdatedAt: before?.at,
  })
  await expect
    .poll(() => cachedOf(one(it.id).queryKey))
    .toMatchObject({ value: { liked: true }, at: before?.at })
})

test('a gated post expires without confirmation by the server, an open post does not', async () => {
  const gated = post({ type: 2 })
  const open = post()
  const own = post({ type: 3, author: { id: me, name: '葵', handle: null, avatar_url: null } })
  for (const it of [gated, open, own]) await readOnce(it)
  const later = (it: PostView, ms: number) =>
    readResponse(me, responseKey(one(it.id).queryKey), Date.now() + ms)
  expect(await later(gated, UNCONFIRMED_MS - 5000)).toBeDefined()
  expect(await later(gated, UNCONFIRMED_MS)).toBeUndefined()
  expect(await later(open, UNCONFIRMED_MS)).toBeDefined()
  expect(await later(own, UNCONFIRMED_MS)).toBeDefined()
})

test('gated posts are requested again with the network, and removed when access ended', async () => {
  const [refunded, paid, open] = [post({ type: 3 }), post({ type: 3 }), post()]
  const at = Date.now() - 3600_000
  for (const it of [refunded, paid, open])
    await saveResponse({ ownerId: me, key: responseKey(one(it.id).queryKey), value: it, at })
  const list = { pages: [{ posts: [refunded, open], next: null, head: null }], pageParams: [null] }
  await saveResponse({ ownerId: me, key: responseKey(latest.queryKey), value: list, at })
  const requested: string[] = []
  reading.server = (url) => {
    requested.push(url)
    return url.endsWith(refunded.id) ? error(404, 'not_found') : Response.json(paid)
  }
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('navigator', { onLine: true })
  openPage()
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  const left = async () => (await listResponses(me)).map((it) => it.key).toSorted()
  const expected = [one(open.id), one(paid.id), latest].map((it) => responseKey(it.queryKey))
  await expect.poll(left).toEqual(expected.toSorted())
  expect((await cachedOf(latest.queryKey))?.value).toMatchObject({ pages: [{ posts: [{ id: open.id }] }] })
  expect(requested).toHaveLength(2)
})
