// Reads which requests of people who are shown there are about a post.
import { and, eq, isNotNull, ne, type SQL } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { inquiries } from '#server/store/tables/audit.ts'

const about = (postId: string): SQL | undefined =>
  and(eq(inquiries.kind, 'intimate'), eq(inquiries.targetId, postId))

/** Whether a confirmed request about the post waits for its decision. */
export async function hasOpenRequest(db: Db, postId: string): Promise<boolean> {
  const isOpen = and(about(postId), isNotNull(inquiries.receivedAt), ne(inquiries.state, 'decided'))
  return (await db.$count(inquiries, isOpen)) > 0
}

/** Whether staff have refused a request about the post. */
export async function wasRefused(db: Db, postId: string): Promise<boolean> {
  return (await db.$count(inquiries, and(about(postId), eq(inquiries.outcome, 'refused')))) > 0
}
