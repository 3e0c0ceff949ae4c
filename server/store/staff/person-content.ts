// Posts and comments of one person for staff, also held and withheld ones.
import { and, desc, eq, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { OpenedKind } from '#contract/moderation/person-cases.ts'
import type { Db } from '#server/store/database.ts'
import { users } from '#server/store/tables/people.ts'
import { posts } from '#server/store/tables/posts.ts'
import { comments } from '#server/store/tables/reactions.ts'

/** For a where clause: the author has not deleted it, and it was not only a draft. */
const isPost = and(
  or(isNotNull(posts.releasedAt), isNotNull(posts.heldAt)),
  or(isNull(posts.deletedAt), isNotNull(posts.withheldAt)),
)
const isComment = and(
  or(isNull(comments.deletedAt), isNotNull(comments.withheldAt), isNotNull(comments.heldAt)),
  ne(comments.content, ''),
)

export interface PersonContentRow {
  readonly id: string
  readonly postId: string
  readonly text: string
  readonly isAgeLimited: boolean
  readonly createdAt: Date
  readonly isHeld: boolean
  readonly isWithheld: boolean
}

interface Page {
  readonly after: { readonly at: Date; readonly id: string } | undefined
  readonly limit: number
}

/** The latest first. */
export function listContentOf(
  db: Db,
  authorId: string,
  kind: 'post' | 'comment',
  { after, limit }: Page,
): Promise<PersonContentRow[]> {
  const table = kind === 'post' ? posts : comments
  const older: SQL | undefined =
    after &&
    sql`(${table.createdAt}, ${table.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`
  return db
    .select({
      id: table.id,
      postId: kind === 'post' ? posts.id : comments.postId,
      text: table.content,
      isAgeLimited: kind === 'post' ? posts.isAgeLimited : sql<boolean>`false`,
      createdAt: table.createdAt,
      isHeld: sql<boolean>`${table.heldAt} is not null`,
      isWithheld: sql<boolean>`${table.withheldAt} is not null`,
    })
    .from(table)
    .where(and(eq(table.authorId, authorId), kind === 'post' ? isPost : isComment, older))
    .orderBy(desc(table.createdAt), desc(table.id))
    .limit(limit)
}

/** The author of a post or comment of these lists, or the person; undefined for what is not there. */
export async function ownerOf(db: Db, kind: OpenedKind, id: string): Promise<string | undefined> {
  switch (kind) {
    case 'post': {
      const rows = await db
        .select({ owner: posts.authorId })
        .from(posts)
        .where(and(eq(posts.id, id), isPost))
      return rows[0]?.owner
    }
    case 'comment': {
      const rows = await db
        .select({ owner: comments.authorId })
        .from(comments)
        .where(and(eq(comments.id, id), isComment))
      return rows[0]?.owner
    }
    case 'person': {
      const rows = await db
        .select({ owner: users.id })
        .from(users)
        .where(and(eq(users.id, id), isNull(users.deletedAt)))
      return rows[0]?.owner
    }
    default:
      return kind satisfies never
  }
}
