// The place in a list of people, as opaque text.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { ApiError } from '#server/http/errors.ts'
import type { PersonPlace } from '#server/store/search/people.ts'

const whole = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1))
const place = v.pipe(v.string(), v.parseJson(), v.tuple([whole, whole, id]))

export const personCursor = ({ nearness, followers, id: userId }: PersonPlace): string =>
  Buffer.from(JSON.stringify([nearness, followers, userId])).toString('base64url')

export function readPersonCursor(cursor: string | undefined): PersonPlace | undefined {
  if (cursor === undefined) return undefined
  const parsed = v.safeParse(place, Buffer.from(cursor, 'base64url').toString())
  if (!parsed.success) throw new ApiError('invalid', { cursor: 'malformed' })
  const [nearness, followers, userId] = parsed.output
  return { nearness, followers, id: userId }
}
