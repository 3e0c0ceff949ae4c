// The sentence about the use of a post's thumbnail, by audience and media.
import type { PostType } from '#contract/posts/posts.ts'
import { publishText } from '#src/features/publish/text.ts'

const words = publishText.thumbnailFor

interface Draft {
  type: PostType
  media: 'video' | 'images' | 'none'
}

/**
 * @returns who sees the thumbnail, and what is shown without one
 */
export function thumbnailHint({ type, media }: Draft): string {
  const outsiders = type === 1 ? undefined : words.outsiders[type]
  switch (media) {
    case 'video':
      return words.video + (outsiders ? words.blurredFor(outsiders) : '')
    case 'images':
      return outsiders ? words.instead(outsiders) : words.unused
    case 'none':
      return words.alone + (outsiders ? words.blurredFor(outsiders) : '')
    default:
      return media satisfies never
  }
}
