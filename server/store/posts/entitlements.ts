// Entitlements of a member: plans, purchases, settings and blocks that decide which posts are open.
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { joinedNow, opensReleased } from '#server/store/plans/plans.ts'
import { boughtBy, type PostRow } from './posts.ts'
import { privacyDefaults } from '#server/store/accounts/settings.ts'
import { planMembers } from '#server/store/tables/plans.ts'
import { postPurchases } from '#server/store/tables/posts.ts'
import { blocks, userSettings } from '#server/store/tables/settings.ts'

export interface EntitlementsRow {
  /** Joined plans, without those that the member joined after the post was released and that open later posts alone. */
  readonly joinedPlans: ReadonlySet<string>
  readonly boughtPosts: ReadonlySet<string>
  readonly showsAgeLimited: boolean
  readonly blockedIds: ReadonlySet<string>
}

const nothing: EntitlementsRow = {
  joinedPlans: new Set(),
  boughtPosts: new Set(),
  showsAgeLimited: false,
  blockedIds: new Set(),
}

/** A member's entitlements to a post at this moment; none for a visitor. */
export async function entitlementsOf(
  db: Db,
  userId: string | undefined,
  post: Pick<PostRow, 'id' | 'authorId' | 'releasedAt'>,
  now: number,
): Promise<EntitlementsRow> {
  if (userId === undefined) return nothing
  const { id, authorId } = post
  const releasedAt = sql`${post.releasedAt?.toISOString() ?? null}::timestamptz`
  // One statement, since every request for a file needs it.
  const [row] = await db
    .select({
      joined: sql<
        string[]
      >`array(select ${planMembers.planId}::text from ${planMembers} where ${joinedNow(userId, now)} and ${opensReleased(releasedAt)})`,
      bought: sql<
        string[]
      >`array(select ${postPurchases.postId}::text from ${postPurchases} where ${and(boughtBy(userId), eq(postPurchases.postId, id))})`,
      shows: sql<
        boolean | null
      >`(select ${userSettings.showsAgeLimited} from ${userSettings} where ${eq(userSettings.userId, userId)})`,
      blocked: sql<string[]>`array(
        select ${blocks.blockedId}::text from ${blocks} where ${and(eq(blocks.blockerId, userId), eq(blocks.blockedId, authorId))}
        union all
        select ${blocks.blockerId}::text from ${blocks} where ${and(eq(blocks.blockedId, userId), eq(blocks.blockerId, authorId))})`,
    })
    .from(sql`(select 1) as one`)
  if (!row) return nothing
  return {
    joinedPlans: new Set(row.joined),
    boughtPosts: new Set(row.bought),
    showsAgeLimited: row.shows ?? privacyDefaults.showsAgeLimited,
    blockedIds: new Set(row.blocked),
  }
}
