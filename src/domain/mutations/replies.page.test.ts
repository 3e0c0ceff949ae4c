// A page applies replies to mutations that the worker sends as messages.
import 'fake-indexeddb/auto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { emitChange } from '#device/database/changes.ts'

const {
  me,
  client,
  takeReply: applyToCache,
} = vi.hoisted(() => ({
  me: 'me',
  client: {},
  takeReply: vi.fn<(...given: unknown[]) => void>(),
}))

vi.mock('#src/domain/session/session.ts', () => ({
  viewer: { get: () => ({ is: 'authenticated', user: { id: me } }), subscribe: () => () => undefined },
}))
vi.mock('#src/domain/api/api.ts', () => ({ bearer: {} }))
vi.mock('#src/domain/queries/lazy-query-cache.ts', () => ({
  loadQueryCache: () => Promise.resolve({ queryClient: client }),
}))
vi.mock('./reply-effects.ts', () => ({ applyToCache }))
vi.mock('#src/lib/store.ts', async (original) => ({
  ...(await original<object>()),
  useStore: (it: { get: () => unknown; subscribe: (listener: () => void) => void }) => {
    it.subscribe(() => undefined)
    return it.get()
  },
}))

const mutation: Mutation = { name: 'likePost', params: { post_id: newId() } }
const reply = { data: { liked: true, likes: 1 } }

beforeAll(async () => {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', new EventTarget())
  const { useWaitingOnPage } = await import('./mutations.ts')
  useWaitingOnPage()
  const probe = newId()
  await vi.waitFor(
    () => {
      emitChange({ store: 'acts', id: probe, answered: { ownerId: me, mutation, reply } })
      expect(applyToCache).toHaveBeenCalled()
    },
    { timeout: 60_000 },
  )
  applyToCache.mockClear()
})
afterAll(() => void vi.unstubAllGlobals())

test('a reply is applied once, even if the page has never read the mutation’s row', async () => {
  const id = newId()
  emitChange({ store: 'acts', id, answered: { ownerId: me, mutation, reply } })
  emitChange({ store: 'acts', id, answered: { ownerId: me, mutation, reply } })
  await expect.poll(() => applyToCache.mock.calls).toEqual([[client, mutation, reply]])
  applyToCache.mockClear()
})

test('a reply to a mutation of the previous account changes nothing for this one', async () => {
  const after: Mutation = { name: 'likePost', params: { post_id: newId() } }
  emitChange({ store: 'acts', id: newId(), answered: { ownerId: 'before', mutation, reply } })
  emitChange({ store: 'acts', id: newId(), answered: { ownerId: me, mutation: after, reply } })
  await expect.poll(() => applyToCache).toHaveBeenCalled()
  expect(applyToCache.mock.calls).toEqual([[client, after, reply]])
})
