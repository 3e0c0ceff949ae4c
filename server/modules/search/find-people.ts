// One page of people who are called so, or say so of themselves.
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

export async function findPeopleCalled(
  { db }: Deps,
  viewerId: string,
  search: { q: string; after?: PersonPlace | undefined; limit: number; namesOnly?: boolean },
): Promise<Page> {
  const asked = searchFor(termsOf(search.q))
  if (!asked) return { people: [], next: undefined }
  const { after, limit, namesOnly = false } = search
  const page = { whole: fold(search.q), after, limit: limit + 1, namesOnly }
  const places = await searchPeople(db, viewerId, asked, page)
  const shown = places.slice(0, limit)
  const ids = shown.map((it) => it.id)
  return {
    people: await viewPeople(db, viewerId, ids),
    next: places.length > limit ? shown.at(-1) : undefined,
  }
}
