// Reactions and social data of a person in their zip.
import type { Db } from '#server/store/database.ts'
import { ownReadings } from '#server/store/analytics/readings.ts'
import { ownPeople, ownRows } from '#server/store/accounts/own-data.ts'

const person = (it: { id: string; name: string; createdAt: Date }) => ({
  id: it.id,
  name: it.name,
  since: it.createdAt,
})

/** People whom the person follows, mutes or blocks. The opposite direction is data of those people. */
export async function peopleOf(db: Db, userId: string) {
  return {
    following: (await ownPeople.follows(db, userId)).map(person),
    muted: (await ownPeople.mutes(db, userId)).map(person),
    blocked: (await ownPeople.blocks(db, userId)).map(person),
  }
}

/** The person's notifications, without names of actors, which are data of those people. */
export async function notificationsOf(db: Db, userId: string) {
  return (await ownRows.notifications(db, userId)).map((it) => ({
    id: it.id,
    setting_cd: it.settingCd,
    idol_id: it.idolId,
    target_id: it.targetId,
    target_sub_1_id: it.targetSub1Id,
    target_sub_2_id: it.targetSub2Id,
    to_user_id: it.toUserId,
    created_at: it.createdAt,
    updated_at: it.updatedAt,
    read_at: it.readAt,
  }))
}

/** Readings of the last days; earlier ones are sums without the person. */
export async function readingsOf(db: Db, userId: string) {
  return (await ownReadings(db, userId)).map((it) => ({ post_id: it.postId, day: it.day, kind: it.kind }))
}

/** A report is exported with its author's text, not with the quoted text, which is another person's. */
export async function reactionsOf(db: Db, userId: string) {
  return {
    post_likes: (await ownRows.postLikes(db, userId)).map((it) => ({ post_id: it.postId, at: it.createdAt })),
    comment_likes: (await ownRows.commentLikes(db, userId)).map((it) => ({
      comment_id: it.commentId,
      at: it.createdAt,
    })),
    comments: (await ownRows.comments(db, userId)).map((it) => ({
      id: it.id,
      post_id: it.postId,
      reply_to: it.parentId,
      content: it.content,
      created_at: it.createdAt,
      deleted_at: it.deletedAt,
    })),
    reports: (await ownRows.reports(db, userId)).map((it) => ({
      kind: it.targetKind,
      target_id: it.targetId,
      reason: it.reason,
      detail: it.detail,
      decided: it.state !== 'open',
      created_at: it.createdAt,
      decided_at: it.decidedAt,
    })),
  }
}
