// Finds one page of people by name, handle or biography.
import { fold, termsOf } from '#contract/text/fold.ts'
import type { ListedPerson } from '#contract/people/people.ts'
import type { Deps } from '#server/deps.ts'
import { searchFor } from '#server/rules/search-grams.ts'
import { type PersonPlace, searchPeople } from '#server/store/search/people.ts'
import { viewPeople } from '#server/services/people/listed-people.ts'

interface Page {
  readonly people: ListedPerson[]
  readonly next: PersonPlace | undefined
}

export async function findMatchingPeople(
  { db }: Deps,
  viewerId: string,
  search: { q: string; after?: PersonPlace | undefined; limit: number; namesOnly?: boolean },
): Promise<Page> {
  const words = searchFor(termsOf(search.q))
  if (!words) return { people: [], next: undefined }
  const { after, limit, namesOnly = false } = search
  const page = { whole: fold(search.q), after, limit: limit + 1, namesOnly }
  const found = await searchPeople(db, viewerId, words, page)
  const shown = found.slice(0, limit)
  const ids = shown.map((it) => it.id)
  return {
    people: await viewPeople(db, viewerId, ids),
    next: found.length > limit ? shown.at(-1) : undefined,
  }
}
