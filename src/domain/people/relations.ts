// Following, muting and blocking from any page: done on the server, and seen in everything this device has read.
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint.ts'
import { listFeed } from '#contract/posts/feed.ts'
import { listFollows } from '#contract/people/follows.ts'
import { listMutes, mutePerson, unmutePerson } from '#contract/people/mutes.ts'
import { getProfile, type RelationView, suggestPeople } from '#contract/people/people.ts'
import { searchPeople } from '#contract/search/search.ts'
import { blockPerson, unblockPerson } from '#contract/accounts/settings.ts'
import { readAgainAfterBlock } from './after-block.ts'
import { call } from '#src/domain/api/api.ts'
import { feedQuery } from '#src/domain/posts/feeds.ts'
import { changeData, queryFor, readingsOf } from '#src/domain/queries/query.ts'

interface Change {
  readonly relation: Partial<RelationView>
  /** How many follow them now. */
  readonly followers?: number
}

/** Writes the relation to a person into every profile and list in the cache. */
function tell(client: QueryClient, id: string, change: Change): void {
  changeData<ReplyOf<typeof getProfile>>(client, queryFor(getProfile, { params: { user_id: id } }), (old) =>
    old.relation
      ? {
          ...old,
          follower_count: change.followers ?? old.follower_count,
          relation: { ...old.relation, ...change.relation },
        }
      : old,
  )
  const inList = <P extends { id: string; relation: RelationView | null }>(people: readonly P[]): P[] =>
    people.map((it) =>
      it.id === id && it.relation ? { ...it, relation: { ...it.relation, ...change.relation } } : it,
    )
  for (const endpoint of [listFollows, searchPeople])
    changeData<InfiniteData<ReplyOf<typeof endpoint>>>(client, readingsOf(endpoint), (old) => ({
      ...old,
      pages: old.pages.map((page) => ({ ...page, people: inList(page.people) })),
    }))
  changeData<ReplyOf<typeof suggestPeople>>(client, readingsOf(suggestPeople), (old) => ({
    people: inList(old.people),
  }))
}

/** The server has confirmed whether the viewer follows a person. */
export function followed(
  client: QueryClient,
  now: { user_id: string; following: boolean; follower_count: number },
): void {
  tell(client, now.user_id, { relation: { following: now.following }, followers: now.follower_count })
  // The lists themselves and the home they lead to are other ones from now on; what is on the screen stays.
  for (const it of [listFeed, listFollows, getProfile])
    void client.invalidateQueries({ ...readingsOf(it), refetchType: 'none' })
  // Their posts come into フォロー中, or leave it, at once where it is shown: the list holds the reader's place.
  void client.invalidateQueries({ queryKey: feedQuery('following').queryKey, refetchType: 'active' })
}

/** Mutes or unmutes a person; lists are read again. */
export async function setMuted(client: QueryClient, id: string, on: boolean): Promise<void> {
  await call(on ? mutePerson : unmutePerson, { params: { user_id: id } })
  tell(client, id, { relation: { muted: on } })
  await Promise.all([readAgainAfterBlock(client), client.invalidateQueries(readingsOf(listMutes))])
}

/** Blocks or unblocks a person; all queries are read again. */
export async function setBlocked(client: QueryClient, id: string, on: boolean): Promise<void> {
  await call(on ? blockPerson : unblockPerson, { params: { user_id: id } })
  await readAgainAfterBlock(client)
}
