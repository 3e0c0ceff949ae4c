// What a person did with others and what they made, as it goes into their zip.
import type { Db } from '#server/store/database.ts'
import {
  ownBlocks,
  ownCommentLikes,
  ownComments,
  ownFollows,
  ownLikes,
  ownMutes,
  ownNotifications,
  ownReports,
} from '#server/store/accounts/own-data.ts'

const person = (it: { id: string; name: string; createdAt: Date }) => ({
  id: it.id,
  name: it.name,
  since: it.createdAt,
})

/** Whom they follow, mute and block. Who does so to them is those people's own. */
export async function peopleOf(db: Db, userId: string) {
  return {
    following: (await ownFollows(db, userId)).map(person),
    muted: (await ownMutes(db, userId)).map(person),
    blocked: (await ownBlocks(db, userId)).map(person),
  }
}

/** What they were told of. Names of those who did it are those people's own. */
export async function notificationsOf(db: Db, userId: string) {
  return (await ownNotifications(db, userId)).map((it) => ({
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

/** A report is told with what its person wrote, not with what it quotes: that is somebody else's. */
export async function reactionsOf(db: Db, userId: string) {
  return {
    post_likes: (await ownLikes(db, userId)).map((it) => ({ post_id: it.postId, at: it.createdAt })),
    comment_likes: (await ownCommentLikes(db, userId)).map((it) => ({
      comment_id: it.commentId,
      at: it.createdAt,
    })),
    comments: (await ownComments(db, userId)).map((it) => ({
      id: it.id,
      post_id: it.postId,
      reply_to: it.parentId,
      content: it.content,
      created_at: it.createdAt,
      deleted_at: it.deletedAt,
    })),
    reports: (await ownReports(db, userId)).map((it) => ({
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
