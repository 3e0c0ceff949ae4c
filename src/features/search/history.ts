// This person's searches on this device: never sent to others, and deleted at a sign-out.
import { fold } from '#contract/text/fold.ts'
import { createSignal, useStore } from '#src/lib/store.ts'
import { readHistory, saveHistory } from '#src/domain/session/search-history.ts'

/** Highest number of listed searches. */
const MOST = 20
const nothing: readonly string[] = []

let shown: { ownerId: string; words: readonly string[] } | undefined

// Another tab may change the searches.
const changes = createSignal((emit) => {
  const other = () => {
    shown = undefined
    emit()
  }
  window.addEventListener('storage', other)
  return () => window.removeEventListener('storage', other)
})

function wordsOf(ownerId: string): readonly string[] {
  if (shown?.ownerId !== ownerId) shown = { ownerId, words: readHistory(ownerId) ?? nothing }
  return shown.words
}

function change(ownerId: string, words: readonly string[]): void {
  saveHistory(ownerId, words)
  shown = { ownerId, words }
  changes.emit()
}

const same = (a: string, b: string) => fold(a) === fold(b)

export const history = {
  /** Puts a search on top; it replaces the same words in another spelling. */
  add(ownerId: string, word: string): void {
    change(ownerId, [word, ...wordsOf(ownerId).filter((it) => !same(it, word))].slice(0, MOST))
  },
  remove(ownerId: string, word: string): void {
    change(
      ownerId,
      wordsOf(ownerId).filter((it) => it !== word),
    )
  },
  clear(ownerId: string): void {
    change(ownerId, nothing)
  },
}

/** The latest first. */
export function useHistory(ownerId: string): readonly string[] {
  return useStore({ get: () => wordsOf(ownerId), subscribe: changes.subscribe })
}
