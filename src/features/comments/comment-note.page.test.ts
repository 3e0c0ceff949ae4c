// Comments without room on the device are noted and sent by the next page.
import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { CommentNote, type Unstored } from './comment-note.ts'

const AOI = newId()
const POST = newId()

/** The part of local storage that notes use. */
function storage() {
  const rows = new Map<string, string>()
  return {
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
    removeItem: (key: string) => void rows.delete(key),
  }
}

afterEach(() => vi.unstubAllGlobals())

test('a comment of a closed page is sent under the id it has, and stays noted until then', async () => {
  vi.stubGlobal('localStorage', storage())
  const comment: Unstored = { id: newId(), content: '朝の海', to: null }
  new CommentNote(AOI, POST).saveWaiting([comment])
  const next = new CommentNote(AOI, POST)
  const sent: Unstored[] = []
  const reply = Promise.withResolvers<void>()
  next.sendWaiting((it) => {
    sent.push(it)
    return reply.promise
  })
  expect(sent).toEqual([comment])
  expect(new CommentNote(AOI, POST).get().waiting).toEqual([comment])
  reply.resolve()
  await expect.poll(() => new CommentNote(AOI, POST).get().waiting).toEqual([])
})
