// The first tab of home: the last one opened, or a default.
import * as v from 'valibot'
import { feedKinds, type FeedKind } from '#contract/posts/feed-kinds.ts'
import { id } from '#contract/ids.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'
import type { FeedPage } from '#src/domain/posts/feeds.ts'

const lastTab = createPersistedValue(
  () => localStorage,
  'home-tab',
  v.object({ ownerId: id, kind: v.picklist(feedKinds) }),
)

/** The feed that this person opened last on this device. */
export function rememberedTab(ownerId: string): FeedKind | undefined {
  const last = lastTab.read()
  return last?.ownerId === ownerId ? last.kind : undefined
}

export function rememberTab(ownerId: string, kind: FeedKind): void {
  lastTab.save({ ownerId, kind })
}

/** The default tab: フォロー中 only if it contains a post of another person. */
export function firstTab(following: Pick<FeedPage, 'posts'>, ownerId: string): FeedKind {
  return following.posts.some((it) => it.author.id !== ownerId) ? 'following' : 'latest'
}
