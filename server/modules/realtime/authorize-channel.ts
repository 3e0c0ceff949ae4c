// Authorizes subscriptions to channels. Access is denied by default.
import { channelOf } from '#contract/realtime/channels.ts'
import type { Deps } from '#server/deps.ts'
import { openConversations } from '#server/store/messages/lists.ts'
import { factsOfPosts } from '#server/store/posts/post-facts.ts'
import { decide, type Onlooker } from '#server/services/posts/post-decision.ts'

type AuthorizationDeps = Pick<Deps, 'db' | 'clock'>

/** Whether this person may join a channel of this name. */
export async function mayJoin(deps: AuthorizationDeps, viewer: Onlooker, name: string): Promise<boolean> {
  return (await joinableChannels(deps, viewer, [name])).has(name)
}

/** The channels of these that this person may join now. */
export async function joinableChannels(
  { db, clock }: AuthorizationDeps,
  viewer: Onlooker,
  names: Iterable<string>,
): Promise<Set<string>> {
  const channels = [...names].flatMap((name) => {
    const channel = channelOf(name)
    return channel ? [{ ...channel, name }] : []
  })
  const now = clock()
  const postIds = channels.flatMap((it) => (it.is === 'post' ? [it.id] : []))
  const readable = new Set(
    decide(viewer, await factsOfPosts(db, viewer.id, postIds, now), now)
      .filter(({ post, decision }) => decision.is === 'full' && post.releasedAt !== null)
      .map(({ post }) => post.id),
  )
  const conversationIds = channels.flatMap((it) => (it.is === 'conversation' ? [it.id] : []))
  const open = await openConversations(db, viewer.id, conversationIds)
  const isJoinable = (it: (typeof channels)[number]): boolean => {
    switch (it.is) {
      case 'person':
        return it.id === viewer.id
      case 'post':
        return readable.has(it.id)
      case 'conversation':
        return open.has(it.id)
      default:
        return it.is satisfies never
    }
  }
  return new Set(channels.filter(isJoinable).map((it) => it.name))
}
