// The searches stored on this device for the signed-in person.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'

const words = createPersistedValue(
  () => localStorage,
  'search-history',
  v.object({ ownerId: id, words: v.array(v.string()) }),
)

/** This person's searches; undefined when there are none, or they are another person's. */
export function readHistory(ownerId: string): readonly string[] | undefined {
  const it = words.read()
  return it?.ownerId === ownerId ? it.words : undefined
}

export function saveHistory(ownerId: string, searched: readonly string[]): void {
  if (searched.length === 0) words.remove()
  else words.save({ ownerId, words: [...searched] })
}

/** Called when the person signs out. */
export function clearHistory(): void {
  words.remove()
}
