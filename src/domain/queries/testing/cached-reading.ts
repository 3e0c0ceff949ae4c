// Test fixture: a device with cached responses, and a server controlled by the test.
import 'fake-indexeddb/auto'
import { type QueryClient } from '@tanstack/react-query'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, vi } from 'vitest'
import { listFeed } from '#contract/posts/feed.ts'
import { newId } from '#contract/ids.ts'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import { responseKey } from '#contract/search/reading-keys.ts'
import { readResponse } from '#device/cache/responses.ts'
import { closeDatabase } from '#device/database/database.ts'
import { saveSession } from '#device/session/session.ts'
import { cacheResponses } from '#src/domain/offline/response-cache.ts'
import { bearer } from '#src/domain/api/api.ts'
import { createQueryClient, pagesFor, queryFor } from '#src/domain/queries/query.ts'

export const me = newId()
const author = newId()
export const post = (over: Partial<PostView> = {}): PostView => ({
  id: newId(),
  author: { id: author, name: '蓮', handle: null, avatar_url: null },
  type: 1,
  is_age_limited: false,
  created_at: '2026-03-05T03:30:00.000Z',
  released_at: '2026-03-05T03:30:00.000Z',
  edited_at: null,
  counts: { likes: 0, comments: 0 },
  liked: false,
  access: { is: 'full', content: 'こんにちは', mentions: [], media: [] },
  ...over,
})
export const one = (id: string) => queryFor(getPost, { params: { post_id: id } })
export const latest = pagesFor(listFeed, { params: { kind: 'latest' }, query: {} })
export const error = (status: number, code: string) => Response.json({ error: { code } }, { status })

/** The cached response of a query. */
export const cachedOf = (queryKey: readonly unknown[]) => readResponse(me, responseKey(queryKey))

/** A signed-in person's device and server, new for each test of a file. */
export function cachedReading() {
  const clients: QueryClient[] = []
  const reading = {
    clients,
    /** Replies by the requested URL; without a reply there is no network. */
    server: (_url: string): Response | Promise<Response> | undefined => undefined,
    /** A reloaded page: empty memory, the same device. */
    openPage(): QueryClient {
      const client = createQueryClient()
      cacheResponses(client)
      clients.push(client)
      return client
    },
    /** Reads a post online and waits until the device has it. */
    async readOnce(it: PostView): Promise<void> {
      reading.server = () => Response.json(it)
      await reading.openPage().ensureQueryData(one(it.id))
      await vi.waitUntil(() => cachedOf(one(it.id).queryKey), { timeout: 60_000 })
    },
  }
  beforeEach(async () => {
    const page = new EventTarget()
    vi.stubGlobal('window', page)
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
    vi.stubGlobal('fetch', async (url: string) => {
      const answer = reading.server(url)
      if (!answer) throw new TypeError('no network')
      return answer
    })
    reading.server = () => undefined
    bearer.token = 'a'
    await saveSession({
      token: 'a',
      user: { id: me, email: 'a@example.com', name: '葵', avatar_url: null, role: 'member' },
    })
  })
  afterEach(async () => {
    for (const client of clients) client.clear()
    clients.length = 0
    bearer.token = undefined
    vi.unstubAllGlobals()
    await closeDatabase()
    await deleteDB('todoke')
  })
  return reading
}
