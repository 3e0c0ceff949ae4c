// Cursor of a list of posts, as opaque text.
import * as v from 'valibot'
import { id, instant } from '#contract/ids.ts'
import { ApiError } from '#server/http/errors.ts'
import type { PageStart } from '#server/store/posts/posts.ts'

const place = v.tuple([instant, id])

export function cursorAfter(row: { releasedAt: Date | null; id: string }): string {
  return Buffer.from(JSON.stringify([row.releasedAt?.toISOString(), row.id])).toString('base64url')
}

/** @param field what the place is called in the query, for the answer when it is none */
export function readCursor(cursor: string | undefined, field = 'cursor'): PageStart | undefined {
  if (cursor === undefined) return undefined
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), place),
    Buffer.from(cursor, 'base64url').toString(),
  )
  if (!parsed.success) throw new ApiError('invalid', { [field]: 'malformed' })
  const [releasedAt, postId] = parsed.output
  return { releasedAt: new Date(releasedAt), id: postId }
}
