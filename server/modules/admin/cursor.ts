// The place in a list of checks, as opaque text.
import * as v from 'valibot'
import { id, instant } from '#contract/ids.ts'
import { ApiError } from '#server/http/errors.ts'

const place = v.pipe(v.string(), v.parseJson(), v.tuple([instant, id]))

export function cursorAfter(row: { submittedAt: Date; id: string }): string {
  return Buffer.from(JSON.stringify([row.submittedAt.toISOString(), row.id])).toString('base64url')
}

export function readCursor(cursor: string | undefined): { at: Date; id: string } | undefined {
  if (cursor === undefined) return undefined
  const parsed = v.safeParse(place, Buffer.from(cursor, 'base64url').toString())
  if (!parsed.success) throw new ApiError('invalid', { cursor: 'malformed' })
  return { at: new Date(parsed.output[0]), id: parsed.output[1] }
}
