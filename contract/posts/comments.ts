// Comments on posts and their replies, for people who see the post in full.
import * as v from 'valibot'
import { countVersion } from '#contract/count-version.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MAX_COMMENT } from '#contract/limits.ts'
import { reviewers } from '#contract/moderation/hold-names.ts'
import { mentionView } from '#contract/text/mentions.ts'
import { personView } from '#contract/people/people.ts'
import { maxLength } from '#contract/rules.ts'
import { commentEffects } from './reactions.ts'
import { asLines, isInvisible } from '#contract/text/text-rule.ts'

const shownComment = v.object({
  is: v.literal('shown'),
  author: personView,
  content: v.string(),
  mentions: v.array(mentionView),
  likes: v.number(),
  liked: v.boolean(),
  /** The author of the reply that this replies to, where that is not the comment above. */
  answers: v.nullable(personView),
  /** The viewer has muted its author: the screen folds it away. */
  muted: v.boolean(),
  /** Who reviews it while it waits, and only the viewer, its author, sees it; absent otherwise. */
  held: v.optional(v.picklist(reviewers)),
})
/** A deleted comment that has replies. */
const deletedComment = v.object({ is: v.literal('deleted') })

export const commentView = v.object({
  id,
  post_id: id,
  /** The comment that a reply belongs to; null for a comment on the post. */
  parent_id: v.nullable(id),
  created_at: instant,
  /** Replies that are not deleted. */
  replies: v.number(),
  /** Of its replies and likes. */
  version: countVersion,
  /** Whether the viewer may delete it: their own, and any on their own post. */
  deletable: v.boolean(),
  body: v.variant('is', [shownComment, deletedComment]),
})
export type CommentView = v.InferOutput<typeof commentView>
export type ShownComment = v.InferOutput<typeof shownComment>

const cursor = v.pipe(v.string(), v.maxLength(200))

/**
 * The beginning of a page. `cursor`: the `next` of the page before it. `before`: the `previous` of the page after it.
 * `around`: a comment that the page contains. Without any of them the list begins.
 */
const pageQuery = v.object({
  cursor: v.optional(cursor),
  before: v.optional(cursor),
  around: v.optional(id),
})

const page = {
  comments: v.array(commentView),
  next: v.nullable(v.string()),
  previous: v.nullable(v.string()),
}

/**
 * Comments on a post, newest first. With `around`, the page with that comment, or with the parent of that reply;
 * `thread` names it; null when this viewer has no such comment: then the page is the first one.
 */
export const listComments = endpoint({
  name: 'listComments',
  method: 'GET',
  path: '/posts/:post_id/comments',
  audience: 'member',
  cached: true,
  summary: '投稿へのコメント（新しい順）',
  params: v.object({ post_id: id }),
  query: pageQuery,
  reply: v.object({ ...page, thread: v.optional(v.nullable(id)) }),
  errors: ['unauthenticated', 'not_found', 'forbidden'],
})

/** Replies to a comment, oldest first. */
export const listReplies = endpoint({
  name: 'listReplies',
  method: 'GET',
  path: '/comments/:comment_id/replies',
  audience: 'member',
  cached: true,
  summary: 'コメントへの返信（古い順）',
  params: v.object({ comment_id: id }),
  query: pageQuery,
  reply: v.object(page),
  errors: ['unauthenticated', 'not_found', 'forbidden'],
})

/** What was written: without the space around it, not empty, counted as people count. */
export const commentContent = v.pipe(
  v.string(),
  v.transform((it) => asLines(it).trim()),
  v.nonEmpty('required'),
  maxLength(MAX_COMMENT),
  v.check((it) => !isInvisible(it), 'invisible'),
)

export const addCommentBody = v.object({
  /** A UUIDv7 made on the device: sent again it is the same comment. */
  id,
  content: commentContent,
  /** The comment this replies to. */
  parent_id: v.optional(v.nullable(id), null),
  /** The reply that this replies to, below the same comment. */
  answers_id: v.optional(v.nullable(id), null),
})

/**
 * Adds a comment or a reply. Sent again with the same id it changes nothing and has the same reply. `comments_closed`: the
 * author of the post accepts no further comments.
 */
export const addComment = endpoint({
  name: 'addComment',
  method: 'POST',
  path: '/posts/:post_id/comments',
  audience: 'member',
  summary: 'コメントまたは返信を書きます',
  params: v.object({ post_id: id }),
  body: addCommentBody,
  reply: v.object({ ...commentView.entries, ...commentEffects }),
  errors: [
    'unauthenticated',
    'not_found',
    'forbidden',
    'comments_closed',
    'hour_limit',
    'day_limit',
    'text_limit',
    'conflict',
    'gone',
  ],
})

/** Deletes an own comment, or any comment on an own post. A repeat changes nothing. */
export const deleteComment = endpoint({
  name: 'deleteComment',
  method: 'DELETE',
  path: '/comments/:comment_id',
  audience: 'member',
  summary: 'コメントを削除します',
  params: v.object({ comment_id: id }),
  reply: v.object({ data: v.object({ id, ...commentEffects }) }),
  errors: ['unauthenticated', 'not_found'],
})
