// What this person searched for on this device: nobody else is told, and it goes when they sign out.
import { useSyncExternalStore } from 'react'
import { fold } from '#contract/text/fold.ts'
import { readHistory, saveHistory } from '#src/domain/session/search-history.ts'

/** The list shows no more. */
const MOST = 20
const nothing: readonly string[] = []

const listeners = new Set<() => void>()
let shown: { ownerId: string; words: readonly string[] } | undefined

function subscribe(listener: () => void): () => void {
  const other = () => {
    shown = undefined
    listener()
  }
  listeners.add(listener)
  // Another tab's searches are this device's too.
  window.addEventListener('storage', other)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', other)
  }
}

function wordsOf(ownerId: string): readonly string[] {
  if (shown?.ownerId !== ownerId) shown = { ownerId, words: readHistory(ownerId) ?? nothing }
  return shown.words
}

function change(ownerId: string, words: readonly string[]): void {
  saveHistory(ownerId, words)
  shown = { ownerId, words }
  for (const listener of listeners) listener()
}

const same = (a: string, b: string) => fold(a) === fold(b)

export const history = {
  /** Puts a search on top; the same words in another spelling give way to it. */
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
  return useSyncExternalStore(subscribe, () => wordsOf(ownerId))
}
