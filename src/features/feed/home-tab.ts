// Which feed home begins with: the one looked at last, or, for somebody who follows nobody yet, the newest posts.
import * as v from 'valibot'
import { feedKinds, type FeedKind } from '#contract/posts/feed-kinds.ts'
import { id } from '#contract/ids.ts'
import { persistedValue } from '#src/lib/persisted-value.ts'
import type { FeedPage } from '#src/domain/posts/feeds.ts'

const lastTab = persistedValue(
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

/** Where somebody begins who has not chosen: their own posts alone are no reason to come. */
export function firstTab(following: Pick<FeedPage, 'posts'>, ownerId: string): FeedKind {
  return following.posts.some((it) => it.author.id !== ownerId) ? 'following' : 'latest'
}
