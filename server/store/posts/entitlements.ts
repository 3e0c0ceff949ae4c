// Columns of prepared statements: what entitles a viewer to a post.
import { type SQL, sql } from 'drizzle-orm'
import { notBlocked } from '#server/store/people/blocks.ts'
import { joinedNow, opensReleased, planGrants } from '#server/store/plans/plans.ts'
import { boughtBy } from './posts.ts'

/** The columns of `entitlementColumns`. */
export interface EntitlementsRow {
  readonly bought: boolean
  /** Whether viewer and author are blocked, in either direction. */
  readonly blocked: boolean
  /** Whether the viewer has chosen to see age-limited posts; null without a choice. */
  readonly shows: boolean | null
}

/**
 * Columns about a viewer and the post `p` of the statement. Purchases count for a priced post alone, until a refund.
 * @param viewer the viewer's id; null for a visitor, who has no entitlements
 */
export const entitlementColumns = (viewer: SQL): SQL =>
  sql`p.type = 3 and exists (select 1 from post_purchases
      where post_purchases.post_id = p.id and ${boughtBy(viewer)}) as bought,
    not ${notBlocked(viewer, sql.raw('p.author_id'))} as blocked,
    (select shows_age_limited from user_settings where user_id = ${viewer}) as shows`

/**
 * An array with the ids of those plans of the post `p` that open it for a viewer, each as often as it has sources.
 * @param now decides which sources have ended
 */
export const joinedPlans = (viewer: SQL, now: SQL): SQL =>
  sql`array(select g.plan_id::text from post_plans o join ${planGrants} as g on g.plan_id = o.plan_id
      where o.post_id = p.id and ${joinedNow(viewer, now)} and ${opensReleased(sql`p.released_at`)})`
