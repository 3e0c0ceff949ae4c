// Likes and comments of a post or comment as they were at one moment.
import * as v from 'valibot'
import { countVersion } from '#contract/count-version.ts'

export const postCounts = v.object({ likes: v.number(), comments: v.number(), version: countVersion })
export type PostCounts = v.InferOutput<typeof postCounts>

/** Counts of a post, and whether the viewer likes it. */
export const postReactions = v.object({ ...postCounts.entries, liked: v.boolean() })
export type PostReactions = v.InferOutput<typeof postReactions>

/** Likes of a comment, its replies that are not deleted, and whether the viewer likes it. */
export const commentReactions = v.object({
  likes: v.number(),
  replies: v.number(),
  version: countVersion,
  liked: v.boolean(),
})
export type CommentReactions = v.InferOutput<typeof commentReactions>

/** What a comment changed beside itself. Absent where the caller no longer sees the post, and in replies of earlier servers. */
export const commentEffects = {
  post: v.optional(postReactions),
  /** Of the comment that a reply belongs to. */
  parent: v.optional(commentReactions),
}
