// The small card of a post inside a message, as its viewer may see it.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { postType, wants } from './posts.ts'

const shown = {
  id,
  type: postType,
  /** Its open title, where it has one and the viewer may see it. */
  title: v.optional(v.string()),
  image_count: v.number(),
  has_video: v.boolean(),
}

/**
 * The card of a post. Devices keep messages without an end, so it has the text of open posts and open titles alone, and no address that the
 * device would keep a picture by.
 */
export const postCard = v.variant('is', [
  v.object({
    is: v.literal('full'),
    ...shown,
    /** The beginning of an open post; '' for a post that a plan or a purchase opens. */
    excerpt: v.string(),
    /** A small picture; null without one. */
    picture: v.nullable(v.string()),
  }),
  v.object({
    is: v.literal('preview'),
    ...shown,
    wants,
    /** Yen, tax included; for `wants: 'purchase'`. */
    price: v.nullable(v.number()),
    blurred_url: v.nullable(v.string()),
  }),
  /** Deleted, or hidden from the viewer. */
  v.object({ is: v.literal('none') }),
  /** In a message request, until it is accepted. */
  v.object({ is: v.literal('requested') }),
])
export type PostCard = v.InferOutput<typeof postCard>
