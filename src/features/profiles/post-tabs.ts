// The tabs of a profile, without their components, because the route checks the address first.
import type { PostType } from '#contract/posts/posts.ts'

export const postTabs = ['all', 'open', 'plan', 'paid'] as const
export type PostTab = (typeof postTabs)[number]

/** The type of the posts on a tab; undefined for all. */
export const typeOf: Record<PostTab, PostType | undefined> = { all: undefined, open: 1, plan: 2, paid: 3 }
