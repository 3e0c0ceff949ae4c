// The tabs of a profile, separate from their look: the address is checked before the page is loaded.
import type { PostType } from '#contract/posts/posts.ts'

export const postTabs = ['all', 'open', 'plan', 'paid'] as const
export type PostTab = (typeof postTabs)[number]

/** The type of the posts on a tab; undefined for all. */
export const typeOf: Record<PostTab, PostType | undefined> = { all: undefined, open: 1, plan: 2, paid: 3 }
