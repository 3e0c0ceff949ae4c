// Everything that is stored of one person, read for them to take along.
import { asc, eq } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { passkeys, resetRefusals } from '#server/store/tables/accounts.ts'
import { knownDevices, rememberedDevices } from '#server/store/tables/devices.ts'
import { identityChecks } from '#server/store/tables/identity.ts'
import { media, uploads, userPictures } from '#server/store/tables/media.ts'
import { follows, mutes, sessions, users } from '#server/store/tables/people.ts'
import { planMembers, plans } from '#server/store/tables/plans.ts'
import { postMedia, postPlans, posts, postPurchases } from '#server/store/tables/posts.ts'
import { notifications } from '#server/store/tables/notifications.ts'
import { comments, postLikes, commentLikes } from '#server/store/tables/reactions.ts'
import { reports } from '#server/store/tables/reports.ts'
import { blocks, notificationSettings, userDetails, userSettings } from '#server/store/tables/settings.ts'

/** The account, with the details only its person sees. */
export async function ownAccount(db: Db, userId: string) {
  const rows = await db
    .select({ user: users, details: userDetails, settings: userSettings })
    .from(users)
    .leftJoin(userDetails, eq(userDetails.userId, users.id))
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .where(eq(users.id, userId))
  return rows[0]
}

export function ownPosts(db: Db, userId: string) {
  return db
    .select()
    .from(posts)
    .where(eq(posts.authorId, userId))
    .orderBy(asc(posts.createdAt), asc(posts.id))
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

/** Media of the person's posts, in the order of each post, with the names they were sent under. */
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

export function ownSessions(db: Db, userId: string) {
  return db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(asc(sessions.createdAt))
}

export function ownDevices(db: Db, userId: string) {
  return db
    .select()
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .orderBy(asc(knownDevices.seenAt))
}

export function ownRememberedDevices(db: Db, userId: string) {
  return db
    .select({ seenAt: rememberedDevices.seenAt })
    .from(rememberedDevices)
    .where(eq(rememberedDevices.userId, userId))
    .orderBy(asc(rememberedDevices.seenAt))
}

/** Until when the person wants no reset codes that they did not ask for. */
export function ownResetRefusals(db: Db, userId: string) {
  return db.select().from(resetRefusals).where(eq(resetRefusals.userId, userId))
}

export function ownPasskeys(db: Db, userId: string) {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt))
}

export function ownNotificationSettings(db: Db, userId: string) {
  return db
    .select()
    .from(notificationSettings)
    .where(eq(notificationSettings.userId, userId))
    .orderBy(asc(notificationSettings.settingCd))
}

export function ownBlocks(db: Db, userId: string) {
  return db
    .select({ id: users.id, name: users.name, createdAt: blocks.createdAt })
    .from(blocks)
    .innerJoin(users, eq(users.id, blocks.blockedId))
    .where(eq(blocks.blockerId, userId))
    .orderBy(asc(blocks.createdAt))
}

/** What the person bought, and from whom. */
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

/** What others bought from the person; who they are is theirs. */
export function ownSales(db: Db, userId: string) {
  return db
    .select({ postId: postPurchases.postId, price: postPurchases.price, boughtAt: postPurchases.boughtAt })
    .from(postPurchases)
    .innerJoin(posts, eq(posts.id, postPurchases.postId))
    .where(eq(posts.authorId, userId))
    .orderBy(asc(postPurchases.boughtAt))
}

export function ownPlans(db: Db, userId: string) {
  return db.select().from(plans).where(eq(plans.creatorId, userId)).orderBy(asc(plans.price), asc(plans.id))
}

export function joinedPlans(db: Db, userId: string) {
  return db
    .select({ name: plans.name, creator: users.name, price: plans.price, joinedAt: planMembers.joinedAt })
    .from(planMembers)
    .innerJoin(plans, eq(plans.id, planMembers.planId))
    .innerJoin(users, eq(users.id, plans.creatorId))
    .where(eq(planMembers.userId, userId))
    .orderBy(asc(planMembers.joinedAt))
}

export function ownChecks(db: Db, userId: string) {
  return db
    .select()
    .from(identityChecks)
    .where(eq(identityChecks.userId, userId))
    .orderBy(asc(identityChecks.submittedAt))
}

/** Whom the person follows. */
export function ownFollows(db: Db, userId: string) {
  return db
    .select({ id: users.id, name: users.name, createdAt: follows.createdAt })
    .from(follows)
    .innerJoin(users, eq(users.id, follows.followedId))
    .where(eq(follows.followerId, userId))
    .orderBy(asc(follows.createdAt))
}

export function ownMutes(db: Db, userId: string) {
  return db
    .select({ id: users.id, name: users.name, createdAt: mutes.createdAt })
    .from(mutes)
    .innerJoin(users, eq(users.id, mutes.mutedId))
    .where(eq(mutes.muterId, userId))
    .orderBy(asc(mutes.createdAt))
}

export function ownLikes(db: Db, userId: string) {
  return db
    .select({ postId: postLikes.postId, createdAt: postLikes.createdAt })
    .from(postLikes)
    .where(eq(postLikes.userId, userId))
    .orderBy(asc(postLikes.createdAt))
}

export function ownCommentLikes(db: Db, userId: string) {
  return db
    .select({ commentId: commentLikes.commentId, createdAt: commentLikes.createdAt })
    .from(commentLikes)
    .where(eq(commentLikes.userId, userId))
    .orderBy(asc(commentLikes.createdAt))
}

export function ownComments(db: Db, userId: string) {
  return db
    .select()
    .from(comments)
    .where(eq(comments.authorId, userId))
    .orderBy(asc(comments.createdAt), asc(comments.id))
}

/** Lines of the person's notifications; who did what stands in them by id alone. */
export function ownNotifications(db: Db, userId: string) {
  return db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(asc(notifications.createdAt), asc(notifications.id))
}

export function ownReports(db: Db, userId: string) {
  return db.select().from(reports).where(eq(reports.reporterId, userId)).orderBy(asc(reports.createdAt))
}
