// What may happen to a person that they are told of, and the line of their list each of it stands in.
import type { SettingCd } from '#contract/setting-codes.ts'

/** Something that `by` did and `to` is told of. Ids of posts, comments and plans as they stand in the store. */
export type Happening =
  | { readonly is: 'like_post'; readonly by: string; readonly to: string; readonly postId: string }
  | ({ readonly is: 'like_comment' } & OnComment)
  /** A comment on one's post, or a reply below one. */
  | ({ readonly is: 'comment' } & OnComment)
  /** A reply to one's comment, or to one's reply. */
  | ({ readonly is: 'reply_comment' } & OnComment)
  /** A post names them, or one of its comments does. */
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
  | { readonly is: 'message'; readonly by: string; readonly to: string }
  /** A check of who they are was decided: nobody's act. */
  | { readonly is: 'identity'; readonly to: string; readonly checkId: string }

interface OnComment {
  readonly by: string
  readonly to: string
  readonly postId: string
  readonly commentId: string
  /** The comment it stands below, where it is a reply. */
  readonly parentId: string | null
}

/** The fields of a notification (specification section 3), and what gathers acts in one line. */
export interface Line {
  readonly settingCd: SettingCd | 'identity' | 'notice'
  /** Acts with the same key stand in one line until it is read. */
  readonly groupKey: string
  readonly idolId: string | null
  readonly targetId: string | null
  readonly targetSub1Id: string | null
  readonly targetSub2Id: string | null
  readonly toUserId: string | null
}

const none = { targetId: null, targetSub1Id: null, targetSub2Id: null, toUserId: null }

/**
 * The line something stands in. Likes of one thing, follows, purchases of a post, joinings of a plan and messages of one
 * person gather; comments do not, since each says something else and has a place of its own.
 */
export function lineOf(it: Happening): Line {
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
    case 'message':
      return { ...none, settingCd: it.is, groupKey: `message:${it.by}`, idolId: it.by }
    case 'identity':
      return {
        ...none,
        settingCd: it.is,
        groupKey: `identity:${it.checkId}`,
        idolId: null,
        targetId: it.checkId,
      }
    default:
      return it satisfies never
  }
}

/** What a post that names somebody is gathered by. */
export const mentionKeyOf = (postId: string): string => `mention:${postId}`

/** The line of a post that was released, at whoever follows its author or is a member of a plan that opens it. */
export function lineOfRelease(
  code: 'post' | 'plan_post',
  post: { readonly id: string; readonly authorId: string },
): Line {
  return { ...none, settingCd: code, groupKey: `post:${post.id}`, idolId: post.authorId, targetId: post.id }
}

/** The line of a notice of the service. */
export function lineOfNotice(noticeId: string): Line {
  return { ...none, settingCd: 'notice', groupKey: `notice:${noticeId}`, idolId: null, targetId: noticeId }
}

/**
 * Who is told of a comment, each once: whoever is answered by a reply, and the author of the post by the other code.
 * Their own words tell nobody.
 * @param it the comment, with whose comment it stands below and whose reply it answers
 */
export function tellingsOfComment(it: {
  readonly by: string
  readonly postId: string
  readonly postAuthorId: string
  readonly commentId: string
  readonly parentId: string | null
  readonly answeredAuthors: readonly string[]
}): Happening[] {
  const { by, postId, commentId, parentId, postAuthorId } = it
  const answered = [...new Set(it.answeredAuthors)].filter((to) => to !== by)
  const on = { by, postId, commentId, parentId }
  const replies = answered.map((to): Happening => ({ is: 'reply_comment', to, ...on }))
  if (postAuthorId === by || answered.includes(postAuthorId)) return replies
  return [...replies, { is: 'comment', to: postAuthorId, ...on }]
}
