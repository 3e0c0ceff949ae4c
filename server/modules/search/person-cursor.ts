// The cursor of a list of people, ordered by how near their names are and how many follow them.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { createCursor } from '#server/http/cursor.ts'
import type { PersonPlace } from '#server/store/search/people.ts'

const whole = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1))

export const personCursor = createCursor<readonly [number, number, string], PersonPlace>(
  v.tuple([whole, whole, id]),
  (place) => [place.nearness, place.followers, place.id],
  ([nearness, followers, userId]) => ({ nearness, followers, id: userId }),
)
