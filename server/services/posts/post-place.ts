// The place of a post in a list of released posts.
import type { TimePlace } from '#server/http/cursor.ts'

/** @throws for a post that is not released: no list of released posts has it */
export function postPlace({ releasedAt, id }: { releasedAt: Date | null; id: string }): TimePlace {
  if (releasedAt === null) throw new TypeError('an unreleased post has no place in a list')
  return { at: releasedAt, id }
}
