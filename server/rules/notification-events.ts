// Events that notify a person, and the notification each of them becomes or joins.
import type { SettingCd } from '#contract/notifications/setting-codes.ts'

/** Something that `by` did and `to` is notified of. Ids are those of the store. */
export type NotificationEvent =
  | { readonly is: 'like_post'; readonly by: string; readonly to: string; readonly postId: string }
  | ({ readonly is: 'like_comment' } & OnComment)
  /** A comment on the recipient's post, or a reply to such a comment. */
  | ({ readonly is: 'comment' } & OnComment)
  /** A reply to the recipient's comment or reply. */
  | ({ readonly is: 'reply_comment' } & OnComment)
  /** A mention of the recipient in a post or one of its comments. */
  | {
      readonly is: 'mention'
      readonly by: string
      readonly to: string
      readonly postId: string
      readonly commentId: string | null
      readonly parentId: string | null
    }
  | { readonly is: 'follow'; readonly by: string; readonly to: string }
  | { readonly is: 'buy_post'; readonly by: string; readonly to: string; readonly postId: string }
  | { readonly is: 'plan'; readonly by: string; readonly to: string; readonly planId: string }
  /** An identity check was decided. It has no actor. */
  | { readonly is: 'identity'; readonly to: string; readonly checkId: string }
  /** A measure about the recipient or their content was taken, or their appeal was answered. It has no actor. */
  | { readonly is: 'measure'; readonly to: string; readonly decisionId: string }
  /** A report of the recipient was decided. It has no actor. */
  | { readonly is: 'report'; readonly to: string; readonly reportId: string }
  /** A post or comment of the recipient is held, or was shown after its review. It has no actor. */
  | { readonly is: 'hold' | 'hold_ended'; readonly to: string; readonly holdId: string }

interface OnComment {
  readonly by: string
  readonly to: string
  readonly postId: string
  readonly commentId: string
  /** The comment it replies to; null for a comment on the post. */
  readonly parentId: string | null
}

/** The fields of a notification (specification section 3), and the key that groups events in one notification. */
export interface NotificationFields {
  readonly settingCd: SettingCd | 'identity' | 'notice' | 'measure' | 'report' | 'hold' | 'hold_ended'
  /** Events with the same key join one notification until it is read. */
  readonly groupKey: string
  readonly idolId: string | null
  readonly targetId: string | null
  readonly targetSub1Id: string | null
  readonly targetSub2Id: string | null
  readonly toUserId: string | null
}

const none = { targetId: null, targetSub1Id: null, targetSub2Id: null, toUserId: null }

/**
 * The notification of an event. Likes of one thing, follows, purchases of one post and new members of one plan are grouped.
 * Comments are not, since each has its own text. Messages are no notifications (decision 076).
 */
export function notificationOf(it: NotificationEvent): NotificationFields {
  switch (it.is) {
    case 'like_post':
    case 'buy_post':
      return {
        ...none,
        settingCd: it.is,
        groupKey: `${it.is}:${it.postId}`,
        idolId: it.by,
        targetId: it.postId,
      }
    case 'like_comment':
    case 'comment':
    case 'reply_comment':
      return {
        ...none,
        settingCd: it.is,
        groupKey: `${it.is}:${it.commentId}`,
        idolId: it.by,
        targetId: it.postId,
        targetSub1Id: it.commentId,
        targetSub2Id: it.parentId,
      }
    case 'mention':
      return {
        ...none,
        settingCd: it.is,
        groupKey: it.commentId === null ? mentionKeyOf(it.postId) : `mention:${it.commentId}`,
        idolId: it.by,
        targetId: it.postId,
        targetSub1Id: it.commentId,
        targetSub2Id: it.parentId,
      }
    case 'follow':
      return { ...none, settingCd: it.is, groupKey: it.is, idolId: it.by, toUserId: it.to }
    case 'plan':
      return { ...none, settingCd: it.is, groupKey: `plan:${it.planId}`, idolId: it.by, targetId: it.planId }
    case 'identity':
      return ofService(it.is, it.checkId)
    case 'measure':
      return ofService(it.is, it.decisionId)
    case 'report':
      return { ...none, settingCd: it.is, groupKey: it.is, idolId: null, targetId: it.reportId }
    case 'hold':
    case 'hold_ended':
      return ofService(it.is, it.holdId)
    default:
      return it satisfies never
  }
}

/** A notification of the service about one thing. */
const ofService = (settingCd: NotificationFields['settingCd'], targetId: string): NotificationFields => ({
  ...none,
  settingCd,
  groupKey: `${settingCd}:${targetId}`,
  idolId: null,
  targetId,
})

/** The group key of a post's mentions. */
export const mentionKeyOf = (postId: string): string => `mention:${postId}`

/** The notification of a released post, for followers of its author and members of plans that open it. */
export function releaseNotification(
  code: 'post' | 'plan_post',
  post: { readonly id: string; readonly authorId: string },
): NotificationFields {
  return { ...none, settingCd: code, groupKey: `post:${post.id}`, idolId: post.authorId, targetId: post.id }
}

/** The notification of a notice by the operator. */
export function noticeNotification(noticeId: string): NotificationFields {
  return { ...none, settingCd: 'notice', groupKey: `notice:${noticeId}`, idolId: null, targetId: noticeId }
}

/**
 * The events of a comment, at most one for each person: `reply_comment` for authors it answers, `comment` for the author
 * of the post. Its own author gets none.
 * @param it the comment, and the authors of the comment and of the reply that it answers
 */
export function commentEvents(it: {
  readonly by: string
  readonly postId: string
  readonly postAuthorId: string
  readonly commentId: string
  readonly parentId: string | null
  readonly answeredAuthors: readonly string[]
}): NotificationEvent[] {
  const { by, postId, commentId, parentId, postAuthorId } = it
  const answered = [...new Set(it.answeredAuthors)].filter((to) => to !== by)
  const on = { by, postId, commentId, parentId }
  const replies = answered.map((to): NotificationEvent => ({ is: 'reply_comment', to, ...on }))
  if (postAuthorId === by || answered.includes(postAuthorId)) return replies
  return [...replies, { is: 'comment', to: postAuthorId, ...on }]
}
