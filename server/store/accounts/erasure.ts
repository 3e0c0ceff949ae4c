// Erases a person: lists their files, deletes or empties their rows (docs/personal-data.md).
import { and, eq, inArray, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { emptyReasons } from '#server/store/adjustments/reasons.ts'
import type { Db } from '#server/store/database.ts'
import { removeFromInquiries } from '#server/store/inquiries/inquiries.ts'
import { removeIdentityOf } from '#server/store/identity/identity.ts'
import { keyOfUpload } from '#server/store/media/upload-keys.ts'
import {
  accountRecoveries,
  dataExports,
  deletions,
  mailCodes,
  passkeyChallenges,
  passkeys,
  recoveryCodes,
  registrations,
  resetRefusals,
  secondFactors,
} from '#server/store/tables/accounts.ts'
import { authorityExports } from '#server/store/tables/audit.ts'
import { payoutSettings } from '#server/store/tables/payouts.ts'
import { eraseBroadcasts } from '#server/store/messages/broadcasts.ts'
import { eraseMessages } from '#server/store/messages/erase.ts'
import { removeRequester } from '#server/store/sellers/requests.ts'
import { removeUnneededAccounts } from '#server/store/payouts/bank-accounts.ts'
import { postReadings } from '#server/store/tables/analytics.ts'
import { knownDevices, rememberedDevices } from '#server/store/tables/devices.ts'
import { identityChecks, identityFiles } from '#server/store/tables/identity.ts'
import { objectRemovals, uploads } from '#server/store/tables/media.ts'
import {
  advertisingConsents,
  noticeMarks,
  notices,
  notificationActors,
  notifications,
  pushSubscriptions,
} from '#server/store/tables/notifications.ts'
import { payments, receipts, receiptIssues } from '#server/store/tables/payments.ts'
import { follows, mutes, personCounts, sessions, users } from '#server/store/tables/people.ts'
import { complimentaryGrants } from '#server/store/tables/adjustments.ts'
import { planMembers, planPictures, plans } from '#server/store/tables/plans.ts'
import { sequenceNumbers, commentLikes, comments, postLikes } from '#server/store/tables/reactions.ts'
import { commentColumns } from '#server/store/personal/content.ts'
import { eraseMediaRows, erasePosts, notKept } from '#server/store/posts/erase.ts'
import { erasedRow } from '#server/store/personal/duties.ts'
import { accountColumns } from '#server/store/personal/people.ts'
import { eraseCopies } from '#server/store/messages/reported.ts'
import { appeals, cases, decisions, holds, reports } from '#server/store/tables/moderation.ts'
import { sellers } from '#server/store/tables/sellers.ts'
import { personSearch } from '#server/store/tables/search.ts'
import {
  blockedWords,
  blocks,
  notificationSettings,
  userDetails,
  userSettings,
} from '#server/store/tables/settings.ts'

/** The key of an object, whose first part is its kind. */
type StoredKey = `${'uploads' | 'media' | 'exports'}/${string}`

/** Ids that name files of a person in the data folder. */
export interface OwnFiles {
  /** Uploaded bytes by their keys, and by their ids the files made from them. */
  readonly uploads: readonly { readonly id: string; readonly key: ReturnType<typeof keyOfUpload> }[]
  readonly identity: readonly string[]
  readonly exports: readonly string[]
  /** Keys of objects that wait for their removal. */
  readonly waiting: readonly StoredKey[]
}

export async function listOwnFiles(db: Db, userId: string): Promise<OwnFiles> {
  const sent = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.ownerId, userId), notKept(uploads.id)))
  const sealed = await db
    .select({ id: identityFiles.id })
    .from(identityFiles)
    .innerJoin(identityChecks, eq(identityChecks.id, identityFiles.checkId))
    .where(eq(identityChecks.userId, userId))
  const zips = await db.select({ id: dataExports.id }).from(dataExports).where(eq(dataExports.userId, userId))
  const waiting = await db
    .select({ key: objectRemovals.key })
    .from(objectRemovals)
    .where(eq(objectRemovals.ownerId, userId))
  return {
    uploads: sent.map((it) => ({ id: it.id, key: keyOfUpload(it) })),
    identity: idsOf(sealed),
    exports: idsOf(zips),
    waiting: waiting.map((it) => it.key as StoredKey),
  }
}

const idsOf = (rows: readonly { id: string }[]) => rows.map((row) => row.id)

interface Owner {
  readonly id: string
  readonly email: string
}

/** The owner of an account whose deletion is under way; undefined once the deletion is done. */
export async function findErased(
  tx: Db,
  userId: string,
): Promise<{ readonly email: string; readonly name: string } | undefined> {
  const rows = await tx
    .select({ email: users.email, name: users.name })
    .from(deletions)
    .innerJoin(users, eq(users.id, deletions.userId))
    .where(eq(deletions.userId, userId))
    .for('update')
  return rows[0]
}

/**
 * Deletes a person's rows and empties those that others refer to. Inside a transaction.
 * @param owner `email` is for rows that do not have the person's id
 */
export async function eraseRows(tx: Db, { id: userId, email }: Owner, now: number): Promise<void> {
  await eraseReactions(tx, userId, now)
  await eraseBroadcasts(tx, userId)
  await eraseMessages(tx, userId, now)
  await eraseFromNotifications(tx, userId)
  await erasePosts(tx, userId, now)
  await erasePlans(tx, userId)
  await eraseMediaRows(tx, userId)
  await eraseAddressees(tx, userId)
  await emptyReasons(tx, userId)
  await removeRequester(tx, userId)
  await eraseAccount(tx, userId)
  await tx.delete(registrations).where(eq(registrations.email, email))
  const emptied = erasedRow(accountColumns, { id: userId, at: new Date(now) })
  await tx.update(users).set(emptied).where(eq(users.id, userId))
  await removeUnneededAccounts(tx)
  await tx.delete(deletions).where(eq(deletions.userId, userId))
}

/** A comment with replies stays, emptied, so that the replies of others stay too. */
async function eraseReactions(tx: Db, userId: string, now: number): Promise<void> {
  await tx.delete(postLikes).where(eq(postLikes.userId, userId))
  await tx.delete(commentLikes).where(eq(commentLikes.userId, userId))
  await tx
    .update(comments)
    .set(erasedRow(commentColumns, { id: userId, at: new Date(now) }))
    .where(eq(comments.authorId, userId))
  const replies = alias(comments, 'replies')
  const withoutReplies = notExists(
    tx
      .select({ one: sql`1` })
      .from(replies)
      .where(eq(replies.parentId, comments.id)),
  )
  await tx.delete(comments).where(and(eq(comments.authorId, userId), withoutReplies))
  await tx.update(reports).set({ reporterId: null, detail: '' }).where(eq(reports.reporterId, userId))
  await eraseCopies(tx, userId)
  await tx.update(reports).set({ quoted: {}, answer: '' }).where(eq(reports.ownerId, userId))
  await eraseFromCases(tx, userId)
  await eraseFromHolds(tx, userId, now)
}

/** Decisions about the person stay without the person and without texts about them. */
async function eraseFromCases(tx: Db, userId: string): Promise<void> {
  const own = tx.select({ id: decisions.id }).from(decisions).where(eq(decisions.personId, userId))
  await tx.delete(appeals).where(inArray(appeals.decisionId, own))
  await tx
    .update(decisions)
    .set({ personId: null, textToPerson: '', textToReporters: '', excerpt: '', note: '' })
    .where(eq(decisions.personId, userId))
  await tx.update(cases).set({ ownerId: null }).where(eq(cases.ownerId, userId))
  await tx.update(cases).set({ takenBy: null, takenUntil: null }).where(eq(cases.takenBy, userId))
  await removeFromInquiries(tx, userId)
}

/** Holds of the person's content stay without the person, as numbers; their own words and what these held are removed. */
async function eraseFromHolds(tx: Db, userId: string, now: number): Promise<void> {
  await tx.delete(holds).where(eq(holds.creatorId, userId))
  await tx
    .update(holds)
    .set({
      ownerId: null,
      state: sql`case when ${holds.state} = 'open' then 'withdrawn' else ${holds.state} end`,
      endedAt: sql`coalesce(${holds.endedAt}, ${new Date(now).toISOString()})`,
    })
    .where(eq(holds.ownerId, userId))
  await tx.delete(blockedWords).where(eq(blockedWords.ownerId, userId))
  await tx.update(blockedWords).set({ addedBy: null }).where(eq(blockedWords.addedBy, userId))
}

/** Removes the person from notifications of others, and deletes those without another actor. */
async function eraseFromNotifications(tx: Db, userId: string): Promise<void> {
  await tx.update(notices).set({ audienceCreatorId: null }).where(eq(notices.audienceCreatorId, userId))
  await tx.delete(notificationActors).where(eq(notificationActors.actorId, userId))
  const another = sql`(select actor_id from ${notificationActors} as rest where rest.notification_id = ${notifications.id} order by rest.at desc limit 1)`
  await tx.delete(notifications).where(and(eq(notifications.idolId, userId), sql`${another} is null`))
  await tx.update(notifications).set({ idolId: another }).where(eq(notifications.idolId, userId))
}

async function erasePlans(tx: Db, userId: string): Promise<void> {
  const own = tx.select({ id: plans.id }).from(plans).where(eq(plans.creatorId, userId))
  for (const table of [planMembers, complimentaryGrants])
    await tx.delete(table).where(or(eq(table.userId, userId), inArray(table.planId, own)))
  await tx.delete(planPictures).where(inArray(planPictures.planId, own))
  await tx.delete(plans).where(eq(plans.creatorId, userId))
}

/** Receipts stay as accounting records; what the buyer typed stays only in encrypted copies of issues. */
async function eraseAddressees(tx: Db, userId: string): Promise<void> {
  const own = tx.select({ id: payments.id }).from(payments).where(eq(payments.userId, userId))
  await tx.update(receipts).set({ addressee: '' }).where(inArray(receipts.paymentId, own))
  await tx.update(receiptIssues).set({ addressee: '' }).where(inArray(receiptIssues.paymentId, own))
}

/** Tables whose rows belong to one person by `user_id`, and are deleted with the account. */
const ofAccount = [
  noticeMarks,
  advertisingConsents,
  sessions,
  knownDevices,
  rememberedDevices,
  resetRefusals,
  passkeys,
  passkeyChallenges,
  secondFactors,
  recoveryCodes,
  accountRecoveries,
  mailCodes,
  dataExports,
  authorityExports,
  payoutSettings,
  sellers,
  userDetails,
  userSettings,
  notificationSettings,
  notifications,
  pushSubscriptions,
  personSearch,
  postReadings,
  sequenceNumbers,
] as const

async function eraseAccount(tx: Db, userId: string): Promise<void> {
  await removeIdentityOf(tx, userId)
  for (const table of ofAccount) await tx.delete(table).where(eq(table.userId, userId))
  await tx.delete(blocks).where(or(eq(blocks.blockerId, userId), eq(blocks.blockedId, userId)))
  await tx.delete(follows).where(or(eq(follows.followerId, userId), eq(follows.followedId, userId)))
  await tx.delete(personCounts).where(eq(personCounts.userId, userId))
  await tx.delete(mutes).where(or(eq(mutes.muterId, userId), eq(mutes.mutedId, userId)))
}
