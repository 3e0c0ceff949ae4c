// Follows, mutes and blocks: requests, and their effects on cached data.
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { isLater } from '#contract/count-version.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { listFeed } from '#contract/posts/feed.ts'
import { type follow, listFollows } from '#contract/people/follows.ts'
import { listMutes, mutePerson, unmutePerson } from '#contract/people/mutes.ts'
import { getProfile, type RelationView, suggestPeople } from '#contract/people/people.ts'
import { searchPeople } from '#contract/search/search.ts'
import { blockPerson, unblockPerson } from '#contract/accounts/settings.ts'
import { removeAndRefetch } from './after-block.ts'
import { call } from '#src/domain/api/api.ts'
import { feedQuery } from '#src/domain/posts/feeds.ts'
import { changeData, queryFor, queriesOf } from '#src/domain/queries/query.ts'

interface Change {
  readonly relation: Partial<RelationView>
  /** Followers of a moment. */
  readonly now?: { readonly follower_count: number; readonly version?: number | undefined }
}

/** Writes the relation to a person into every profile and list in the cache. */
function applyRelation(client: QueryClient, id: string, { relation, now }: Change): void {
  changeData<ReplyOf<typeof getProfile>>(client, queryFor(getProfile, { params: { user_id: id } }), (old) =>
    old.relation && isLater({ ...now }, { version: old.count_version })
      ? {
          ...old,
          follower_count: now?.follower_count ?? old.follower_count,
          count_version: now?.version ?? old.count_version,
          relation: { ...old.relation, ...relation },
        }
      : old,
  )
  const inList = <P extends { id: string; relation: RelationView | null }>(people: readonly P[]): P[] =>
    people.map((it) =>
      it.id === id && it.relation ? { ...it, relation: { ...it.relation, ...relation } } : it,
    )
  for (const endpoint of [listFollows, searchPeople])
    changeData<InfiniteData<ReplyOf<typeof endpoint>>>(client, queriesOf(endpoint), (old) => ({
      ...old,
      pages: old.pages.map((page) => ({ ...page, people: inList(page.people) })),
    }))
  changeData<ReplyOf<typeof suggestPeople>>(client, queriesOf(suggestPeople), (old) => ({
    people: inList(old.people),
  }))
}

/** Applies the server's reply to a follow or unfollow. */
export function applyFollow(client: QueryClient, now: ReplyOf<typeof follow>['data']): void {
  applyRelation(client, now.user_id, { relation: { following: now.following }, now })
  // These lists have changed; what is displayed stays until it is read again.
  for (const it of [listFeed, listFollows, getProfile])
    void client.invalidateQueries({ ...queriesOf(it), refetchType: 'none' })
  // フォロー中 is read again at once where it is displayed; the list holds its scroll position.
  void client.invalidateQueries({ queryKey: feedQuery('following').queryKey, refetchType: 'active' })
}

/** Mutes or unmutes a person; lists are read again. */
export async function setMuted(client: QueryClient, id: string, on: boolean): Promise<void> {
  await call(on ? mutePerson : unmutePerson, { params: { user_id: id } })
  applyRelation(client, id, { relation: { muted: on } })
  await Promise.all([removeAndRefetch(client), client.invalidateQueries(queriesOf(listMutes))])
}

/** Blocks or unblocks a person; all queries are read again. */
export async function setBlocked(client: QueryClient, id: string, on: boolean): Promise<void> {
  await call(on ? blockPerson : unblockPerson, { params: { user_id: id } })
  await removeAndRefetch(client)
}
