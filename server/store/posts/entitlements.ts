// Entitlements of a member: plans, purchases, settings and blocks that decide which posts are open.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { joinedNow } from '#server/store/plans/plans.ts'
import { boughtBy } from './posts.ts'
import { privacyDefaults } from '#server/store/accounts/settings.ts'
import { planMembers } from '#server/store/tables/plans.ts'
import { postPurchases } from '#server/store/tables/posts.ts'
import { blocks, userSettings } from '#server/store/tables/settings.ts'

export interface EntitlementsRow {
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

/** A member's entitlements to these posts at this moment; none for a visitor. */
export async function entitlementsOf(
  db: Db,
  userId: string | undefined,
  posts: readonly { readonly id: string; readonly authorId: string }[],
  now: number,
): Promise<EntitlementsRow> {
  if (userId === undefined || posts.length === 0) return nothing
  const ids = posts.map((it) => it.id)
  const authors = [...new Set(posts.map((it) => it.authorId))]
  // One statement, since every list of posts needs it.
  const [row] = await db
    .select({
      joined: sql<
        string[]
      >`array(select ${planMembers.planId}::text from ${planMembers} where ${joinedNow(userId, now)})`,
      bought: sql<
        string[]
      >`array(select ${postPurchases.postId}::text from ${postPurchases} where ${and(boughtBy(userId), inArray(postPurchases.postId, ids))})`,
      shows: sql<
        boolean | null
      >`(select ${userSettings.showsAgeLimited} from ${userSettings} where ${eq(userSettings.userId, userId)})`,
      blocked: sql<string[]>`array(
        select ${blocks.blockedId}::text from ${blocks} where ${and(eq(blocks.blockerId, userId), inArray(blocks.blockedId, authors))}
        union all
        select ${blocks.blockerId}::text from ${blocks} where ${and(eq(blocks.blockedId, userId), inArray(blocks.blockerId, authors))})`,
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
