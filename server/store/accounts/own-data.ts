// Reads everything that is stored about one person, for their data export.
import { asc, eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '#server/store/database.ts'
import { passkeys, resetRefusals, secondFactors } from '#server/store/tables/accounts.ts'
import { knownDevices, rememberedDevices } from '#server/store/tables/devices.ts'
import { identityChecks } from '#server/store/tables/identity.ts'
import { statements } from '#server/store/tables/ledger.ts'
import { media, uploads, userPictures } from '#server/store/tables/media.ts'
import { follows, mutes, sessions, users } from '#server/store/tables/people.ts'
import { memberships } from '#server/store/tables/memberships.ts'
import { planGrants } from '#server/store/plans/plans.ts'
import { planMembers, planPictures, plans } from '#server/store/tables/plans.ts'
import { payments, receipts } from '#server/store/tables/payments.ts'
import { postMedia, postPlans, posts, postPurchases, postVersions } from '#server/store/tables/posts.ts'
import { notifications } from '#server/store/tables/notifications.ts'
import { comments, postLikes, commentLikes } from '#server/store/tables/reactions.ts'
import { decisions, holds, reports } from '#server/store/tables/moderation.ts'
import {
  blockedWords,
  blocks,
  notificationSettings,
  userDetails,
  userSettings,
} from '#server/store/tables/settings.ts'

/** All rows of a table that belong to a person. */
const rowsOf =
  <Table extends PgTable>(table: Table, owner: PgColumn, ...order: readonly PgColumn[]) =>
  async (db: Db, userId: string): Promise<Table['$inferSelect'][]> => {
    const source: PgTable = table
    const rows = db.select().from(source)
    return rows.where(eq(owner, userId)).orderBy(...order.map((column) => asc(column)))
  }

/** People on the other side of a relation that the person began, oldest first. */
const peopleOf =
  (relation: typeof follows | typeof mutes | typeof blocks, owner: PgColumn, other: PgColumn) =>
  (db: Db, userId: string): Promise<{ id: string; name: string; createdAt: Date }[]> =>
    db
      .select({ id: users.id, name: users.name, createdAt: relation.createdAt })
      .from(relation as PgTable)
      .innerJoin(users, eq(users.id, other))
      .where(eq(owner, userId))
      .orderBy(asc(relation.createdAt))

/** People whom the person follows, mutes and blocks. */
export const ownPeople = {
  follows: peopleOf(follows, follows.followerId, follows.followedId),
  mutes: peopleOf(mutes, mutes.muterId, mutes.mutedId),
  blocks: peopleOf(blocks, blocks.blockerId, blocks.blockedId),
} as const

/** Rows as they are stored, in the order of the export. Actors of notifications are listed only by id. */
export const ownRows = {
  posts: rowsOf(posts, posts.authorId, posts.createdAt, posts.id),
  postVersions: rowsOf(postVersions, postVersions.authorId, postVersions.replacedAt, postVersions.postId),
  plans: rowsOf(plans, plans.creatorId, plans.price, plans.id),
  comments: rowsOf(comments, comments.authorId, comments.createdAt, comments.id),
  postLikes: rowsOf(postLikes, postLikes.userId, postLikes.createdAt),
  commentLikes: rowsOf(commentLikes, commentLikes.userId, commentLikes.createdAt),
  reports: rowsOf(reports, reports.reporterId, reports.createdAt),
  decisions: rowsOf(decisions, decisions.personId, decisions.decidedAt, decisions.id),
  holds: rowsOf(holds, holds.ownerId, holds.createdAt, holds.id),
  blockedWords: rowsOf(blockedWords, blockedWords.ownerId, blockedWords.createdAt, blockedWords.id),
  notifications: rowsOf(notifications, notifications.userId, notifications.createdAt, notifications.id),
  notificationSettings: rowsOf(
    notificationSettings,
    notificationSettings.userId,
    notificationSettings.settingCd,
  ),
  sessions: rowsOf(sessions, sessions.userId, sessions.createdAt),
  knownDevices: rowsOf(knownDevices, knownDevices.userId, knownDevices.seenAt),
  rememberedDevices: rowsOf(rememberedDevices, rememberedDevices.userId, rememberedDevices.seenAt),
  passkeys: rowsOf(passkeys, passkeys.userId, passkeys.createdAt),
  secondFactors: rowsOf(secondFactors, secondFactors.userId),
  /** Until when the person refuses unrequested reset codes. */
  resetRefusals: rowsOf(resetRefusals, resetRefusals.userId),
  statements: rowsOf(statements, statements.creatorId, statements.month),
  checks: rowsOf(identityChecks, identityChecks.userId, identityChecks.submittedAt),
} as const

/** The account, with the details that only its owner sees. */
export async function ownAccount(db: Db, userId: string) {
  const rows = await db
    .select({ user: users, details: userDetails, settings: userSettings })
    .from(users)
    .leftJoin(userDetails, eq(userDetails.userId, users.id))
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .where(eq(users.id, userId))
  return rows[0]
}

/** Plans that open the person's posts. */
export function ownPostPlans(db: Db, userId: string) {
  return db
    .select({ postId: postPlans.postId, name: plans.name })
    .from(postPlans)
    .innerJoin(posts, eq(posts.id, postPlans.postId))
    .innerJoin(plans, eq(plans.id, postPlans.planId))
    .where(eq(posts.authorId, userId))
    .orderBy(asc(plans.price), asc(plans.id))
}

/** Media of the person's posts, in the order of each post, with their uploaded file names. */
export function ownMedia(db: Db, userId: string) {
  return db
    .select({
      id: media.id,
      postId: postMedia.postId,
      role: postMedia.role,
      kind: media.kind,
      mime: media.mime,
      alt: postMedia.alt,
      metadata: uploads.metadata,
    })
    .from(postMedia)
    .innerJoin(posts, eq(posts.id, postMedia.postId))
    .innerJoin(media, eq(media.id, postMedia.mediaId))
    .innerJoin(uploads, eq(uploads.id, media.id))
    .where(eq(posts.authorId, userId))
    .orderBy(asc(postMedia.postId), asc(postMedia.position), asc(media.id))
}

/** Avatar and cover. */
export function ownPictures(db: Db, userId: string) {
  return db
    .select({ id: userPictures.mediaId, role: userPictures.role, metadata: uploads.metadata })
    .from(userPictures)
    .innerJoin(uploads, eq(uploads.id, userPictures.mediaId))
    .where(eq(userPictures.userId, userId))
    .orderBy(asc(userPictures.role))
}

/** Pictures of the person's plans. */
export function ownPlanPictures(db: Db, userId: string) {
  return db
    .select({
      id: planPictures.mediaId,
      role: planPictures.role,
      planId: planPictures.planId,
      metadata: uploads.metadata,
    })
    .from(planPictures)
    .innerJoin(plans, eq(plans.id, planPictures.planId))
    .innerJoin(uploads, eq(uploads.id, planPictures.mediaId))
    .where(eq(plans.creatorId, userId))
    .orderBy(asc(plans.position), asc(plans.id), asc(planPictures.role))
}

/** Purchases of the person, with the authors. */
export function ownPurchases(db: Db, userId: string) {
  return db
    .select({
      postId: postPurchases.postId,
      author: users.name,
      price: postPurchases.price,
      boughtAt: postPurchases.boughtAt,
    })
    .from(postPurchases)
    .innerJoin(posts, eq(posts.id, postPurchases.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(eq(postPurchases.userId, userId))
    .orderBy(asc(postPurchases.boughtAt))
}

/** Purchases of the person's posts, without the buyers, whose data they are. */
export function ownSales(db: Db, userId: string) {
  return db
    .select({ postId: postPurchases.postId, price: postPurchases.price, boughtAt: postPurchases.boughtAt })
    .from(postPurchases)
    .innerJoin(posts, eq(posts.id, postPurchases.postId))
    .where(eq(posts.authorId, userId))
    .orderBy(asc(postPurchases.boughtAt))
}

/** Payments by the person, with the moments of their states, and their receipts. */
export function ownPayments(db: Db, userId: string) {
  return db
    .select({
      id: payments.id,
      kind: payments.kind,
      postId: payments.postId,
      membershipId: payments.membershipId,
      periodFrom: payments.periodFrom,
      periodUntil: payments.periodUntil,
      creator: users.name,
      amount: payments.amount,
      state: payments.state,
      createdAt: payments.createdAt,
      paidAt: payments.paidAt,
      refundedAt: payments.refundedAt,
      refundedAmount: payments.refundedAmount,
      receipt: receipts,
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.creatorId))
    .leftJoin(receipts, eq(receipts.paymentId, payments.id))
    .where(eq(payments.userId, userId))
    .orderBy(asc(payments.createdAt), asc(payments.id))
}

/** Paid memberships of the person. */
export function ownMemberships(db: Db, userId: string) {
  return db
    .select({
      id: memberships.id,
      plan: plans.name,
      creator: users.name,
      price: memberships.price,
      state: memberships.state,
      joinedAt: memberships.joinedAt,
      paidUntil: memberships.paidUntil,
      endedAt: memberships.endedAt,
      why: memberships.why,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.creatorId))
    .leftJoin(plans, eq(plans.id, memberships.planId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.joinedAt), asc(memberships.id))
}

export function joinedPlans(db: Db, userId: string) {
  return db
    .select({
      name: plans.name,
      creator: users.name,
      price: plans.price,
      joinedAt: sql<Date>`min(g.joined_at)`.mapWith(planMembers.joinedAt),
      // The longest of its sources; null while one has no end.
      endsAt: sql<Date | null>`case when bool_and(g.ends_at is not null) then max(g.ends_at) end`.mapWith(
        planMembers.endsAt,
      ),
    })
    .from(sql`${planGrants} as g`)
    .innerJoin(plans, eq(plans.id, sql`g.plan_id`))
    .innerJoin(users, eq(users.id, plans.creatorId))
    .where(eq(sql`g.user_id`, userId))
    .groupBy(plans.id, users.id)
    .orderBy(sql`min(g.joined_at)`, asc(plans.name), asc(plans.id))
}
