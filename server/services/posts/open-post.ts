// View of a post for its share card; the same for every visitor and crawler.
import type { MediaView } from '#contract/posts/media.ts'
import { accessTo, isOpen, sharesOpenTexts } from '#server/rules/post-access.ts'
import type { Db } from '#server/store/database.ts'
import { factsOfPosts } from '#server/store/posts/post-facts.ts'
import { openAddress } from '#server/services/media/addresses.ts'
import { mediaViews } from '#server/services/media/views.ts'
import { personView } from '#server/services/people/person-view.ts'
import { guardedOf } from './post-decision.ts'
import { openTextsOf } from './post-view.ts'

/**
 * Content of the share card. `open`: the content of the post. `closed`: that the post exists, with its title and introduction
 * if the author shares them. `none`: the page does
 * not exist for visitors.
 */
export type OpenPost =
  | {
      readonly is: 'open'
      readonly id: string
      readonly author: ReturnType<typeof personView>
      readonly title?: string
      readonly content: string
      readonly media: readonly MediaView[]
    }
  | {
      readonly is: 'closed'
      readonly id: string
      readonly author: ReturnType<typeof personView>
      readonly title?: string
      readonly introduction?: string
    }
  | { readonly is: 'none' }

/** Reads what a share card of a post may show; `now` in ms. */
export async function openPostOf(db: Db, postId: string, now: number): Promise<OpenPost> {
  const [post] = await factsOfPosts(db, undefined, [postId], now)
  if (!post) return { is: 'none' }
  const guarded = guardedOf(post)
  const shared = { id: post.id, author: personView(post.author) }
  if (isOpen(guarded)) {
    const shown = { own: false, address: openAddress, original: openAddress }
    const media = mediaViews(post.media, shown)
    const { introduction, ...titled } = openTextsOf(post)
    const content = introduction === undefined ? post.content : `${introduction}\n${post.content}`
    return { is: 'open', ...shared, ...titled, content, media }
  }
  if (accessTo({ is: 'visitor' }, guarded).is === 'hidden') return { is: 'none' }
  return { is: 'closed', ...shared, ...(sharesOpenTexts(guarded) && openTextsOf(post)) }
}
