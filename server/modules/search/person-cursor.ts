// The cursor of found people, ordered by match of the name and followers.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { createCursor } from '#server/http/cursor.ts'
import type { PersonPlace } from '#server/store/search/people.ts'

const naturalNumber = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1))

export const personCursor = createCursor<readonly [number, number, string], PersonPlace>(
  v.tuple([naturalNumber, naturalNumber, id]),
  (place) => [place.matchRank, place.followers, place.id],
  ([matchRank, followers, userId]) => ({ matchRank, followers, id: userId }),
)
