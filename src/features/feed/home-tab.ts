// The first tab of home: the last one opened, or the newest posts for a person who follows no one.
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

/** The feed this person looked at last on this device. */
export function rememberedTab(ownerId: string): FeedKind | undefined {
  const last = lastTab.read()
  return last?.ownerId === ownerId ? last.kind : undefined
}

export function rememberTab(ownerId: string, kind: FeedKind): void {
  lastTab.save({ ownerId, kind })
}

/** The first tab without a choice: a person's own posts alone are no reason for フォロー中. */
export function firstTab(following: Pick<FeedPage, 'posts'>, ownerId: string): FeedKind {
  return following.posts.some((it) => it.author.id !== ownerId) ? 'following' : 'latest'
}
