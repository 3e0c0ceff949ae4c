// Comments that the device has no room for: noted in local storage, and sent by the next page.
import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { CommentNote, type Unstored } from './comment-note.ts'

const AOI = newId()
const POST = newId()

/** As much of local storage as notes need. */
function storage() {
  const rows = new Map<string, string>()
  return {
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
    removeItem: (key: string) => void rows.delete(key),
  }
}

afterEach(() => vi.unstubAllGlobals())

test('a comment that a closed page had alone is sent under the id it has, and noted until then', async () => {
  vi.stubGlobal('localStorage', storage())
  const comment: Unstored = { id: newId(), content: '朝の海', to: null }
  new CommentNote(AOI, POST).keepWaiting([comment])
  const next = new CommentNote(AOI, POST)
  const sent: Unstored[] = []
  const answer = Promise.withResolvers<void>()
  next.sendWaiting((it) => {
    sent.push(it)
    return answer.promise
  })
  expect(sent).toEqual([comment])
  expect(new CommentNote(AOI, POST).get().waiting).toEqual([comment])
  answer.resolve()
  await vi.waitFor(() => expect(new CommentNote(AOI, POST).get().waiting).toEqual([]))
})
