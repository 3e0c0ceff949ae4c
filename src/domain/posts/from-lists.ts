// Posts and people from lists, shown by pages before their own reply.
import type { QueryClient } from '@tanstack/react-query'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import {
  type ListedPerson,
  listing,
  personAmong,
  postAmong,
  postsByAmong,
  type Reading,
} from '#src/domain/offline/listed.ts'
import { loadQueryCache } from '#src/domain/queries/lazy-query-cache.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { visibilityChangedAt } from '#src/domain/api/visibility.ts'

const store = () => import('#src/domain/offline/response-cache.ts')

/** Readings in the query cache since the last block or mute, the latest first. */
function readingsIn(client: QueryClient): Reading[] {
  return client
    .getQueryCache()
    .getAll()
    .filter(
      ({ queryKey, state }) =>
        listing.has(String(queryKey[0])) && state.dataUpdatedAt >= visibilityChangedAt(),
    )
    .map(({ state }) => ({ value: state.data, at: state.dataUpdatedAt }))
    .toSorted((a, b) => b.at - a.at)
}

/** Readings in the response cache that contain an id; none on a device that cannot be read. */
async function readingsOnDevice(id: string): Promise<readonly Reading[]> {
  try {
    return await (await store()).readCachedMentions(id)
  } catch {
    return []
  }
}

/**
 * Copies a post from a list into its own query, unless the post itself was read. The copy is stale, so that the page
 * requests the post and its reply replaces the copy.
 */
export async function seedPost(id: string): Promise<void> {
  const { queryClient } = await loadQueryCache()
  const { queryKey } = queryFor(getPost, { params: { post_id: id } })
  if (queryClient.getQueryData(queryKey) !== undefined) return
  const listed = postAmong(readingsIn(queryClient), id)
  if (!listed) return
  const { readCachedOne } = await store()
  // The post itself may have been read after the list, and be only in the response cache.
  const stored = await readCachedOne(getPost, queryKey).catch(() => undefined)
  if (queryClient.getQueryData(queryKey) !== undefined) return
  if (stored && stored.at > listed.at) return
  queryClient.setQueryData<PostView>(queryKey, listed.post, { updatedAt: listed.at })
}

interface PersonWithPosts {
  readonly person: ListedPerson | undefined
  /** Those of their posts that were read, newest first. */
  readonly posts: readonly PostView[]
}

const personWithPosts = (readings: readonly Reading[], id: string): PersonWithPosts => ({
  person: personAmong(readings, id),
  posts: postsByAmong(readings, id),
})

/** A person and their posts from the query cache. */
export async function personInQueryCache(id: string): Promise<PersonWithPosts> {
  const { queryClient } = await loadQueryCache()
  return personWithPosts(readingsIn(queryClient), id)
}

/** A person and their posts, also from the response cache, which is slower. */
export async function personInAnyCache(id: string): Promise<PersonWithPosts> {
  const { queryClient } = await loadQueryCache()
  return personWithPosts([...readingsIn(queryClient), ...(await readingsOnDevice(id))], id)
}
