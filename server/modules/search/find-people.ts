// Finds one page of people by name, handle or biography.
import { fold } from '#contract/text/fold.ts'
import type { ListedPerson } from '#contract/people/people.ts'
import type { Deps } from '#server/deps.ts'
import { searchFor, searchTermsOf } from '#server/rules/search-grams.ts'
import type { Db } from '#server/store/database.ts'
import type { Reader } from '#server/services/replicas/reads.ts'
import { foundNow, type PersonPlace, searchPeople } from '#server/store/search/people.ts'
import { viewPeople } from '#server/services/people/listed-people.ts'

interface Page {
  readonly people: ListedPerson[]
  readonly next: PersonPlace | undefined
}

export async function findMatchingPeople(
  { db, reads }: Deps,
  viewerId: string,
  given: { q: string; after?: PersonPlace | undefined; limit: number; namesOnly?: boolean },
  reader: Reader,
): Promise<Page> {
  const words = searchFor(searchTermsOf(given.q))
  if (!words) return { people: [], next: undefined }
  const { after, limit, namesOnly = false } = given
  const page = { whole: fold(given.q), after, limit: limit + 1, namesOnly }
  const search = (either: Db) => searchPeople(either, viewerId, words, page)
  const found = await reads.page(reader, {
    find: search,
    async check(people) {
      const now = await foundNow(
        db,
        viewerId,
        people.map((it) => it.id),
      )
      return people.filter((it) => now.has(it.id))
    },
    whole: () => search(db),
  })
  const shown = found.slice(0, limit)
  const ids = shown.map((it) => it.id)
  return {
    people: await viewPeople(db, viewerId, ids),
    next: found.length > limit ? shown.at(-1) : undefined,
  }
}
