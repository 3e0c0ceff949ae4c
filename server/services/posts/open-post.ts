// View of a post for its share card; the same for every visitor and crawler.
import type { MediaView } from '#contract/posts/media.ts'
import { accessTo, isOpen } from '#server/rules/post-access.ts'
import type { Db } from '#server/store/database.ts'
import { factsOfPosts } from '#server/store/posts/post-facts.ts'
import { openAddress } from '#server/services/media/addresses.ts'
import { mediaViews } from '#server/services/media/views.ts'
import { personView } from '#server/services/people/person-view.ts'
import { guardedOf } from './post-decision.ts'

/**
 * Content of the share card. `open`: the content of the post. `closed`: only that the post exists. `none`: the page does
 * not exist for visitors.
 */
export type OpenPost =
  | {
      readonly is: 'open'
      readonly id: string
      readonly author: ReturnType<typeof personView>
      readonly content: string
      readonly media: readonly MediaView[]
    }
  | { readonly is: 'closed' }
  | { readonly is: 'none' }

/** Reads what a share card of a post may show; `now` in ms. */
export async function openPostOf(db: Db, postId: string, now: number): Promise<OpenPost> {
  const [post] = await factsOfPosts(db, undefined, [postId], now)
  if (!post) return { is: 'none' }
  const guarded = guardedOf(post)
  if (isOpen(guarded)) {
    const shown = { own: false, address: openAddress, original: openAddress }
    const media = mediaViews(post.media, shown)
    return { is: 'open', id: post.id, author: personView(post.author), content: post.content, media }
  }
  return { is: accessTo({ is: 'visitor' }, guarded).is === 'hidden' ? 'none' : 'closed' }
}
