// Posts and people that lists have brought, for pages that open before their own answer.
import type { QueryClient } from '@tanstack/react-query'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import {
  type KnownPerson,
  listing,
  personAmong,
  postAmong,
  postsByAmong,
  type Reading,
} from '#src/domain/offline/listed.ts'
import { loadQueryCache } from '#src/domain/queries/lazy-query-cache.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { sightChangedAt } from '#src/domain/api/visibility.ts'

const store = () => import('#src/domain/offline/response-cache.ts')

/** Readings of this page, the latest first. What was read before the last block or mute is not among them. */
function readingsIn(client: QueryClient): Reading[] {
  return client
    .getQueryCache()
    .getAll()
    .filter(
      ({ queryKey, state }) => listing.has(String(queryKey[0])) && state.dataUpdatedAt >= sightChangedAt(),
    )
    .map(({ state }) => ({ value: state.data, at: state.dataUpdatedAt }))
    .toSorted((a, b) => b.at - a.at)
}

/** Readings stored on the device that mention an id, the latest first. A device that cannot be read has none. */
async function readingsOnDevice(id: string): Promise<readonly Reading[]> {
  try {
    return await (await store()).recallNaming(id)
  } catch {
    return []
  }
}

/**
 * Puts a post into the query cache as a list of this page has it, unless the post itself was read. It is stale from the
 * start: the page that opens asks for it, and any answer takes its place.
 */
export async function seedPost(id: string): Promise<void> {
  const { queryClient } = await loadQueryCache()
  const { queryKey } = queryFor(getPost, { params: { post_id: id } })
  if (queryClient.getQueryData(queryKey) !== undefined) return
  const listed = postAmong(readingsIn(queryClient), id)
  if (!listed) return
  const { recallOne } = await store()
  // The post itself may have been read after the list, and be on the device alone by now.
  const stored = await recallOne(getPost, queryKey).catch(() => undefined)
  if (queryClient.getQueryData(queryKey) !== undefined) return
  if (stored && stored.at > listed.at) return
  queryClient.setQueryData<PostView>(queryKey, listed.post, { updatedAt: listed.at })
}

interface Known {
  readonly person: KnownPerson | undefined
  /** Their posts, newest first: those that were read, not all. */
  readonly posts: readonly PostView[]
}

const knownAmong = (readings: readonly Reading[], id: string): Known => ({
  person: personAmong(readings, id),
  posts: postsByAmong(readings, id),
})

/** What the lists of this page say of a person. */
export async function knownHere(id: string): Promise<Known> {
  const { queryClient } = await loadQueryCache()
  return knownAmong(readingsIn(queryClient), id)
}

/** The same with the lists that are stored on the device: slower, for a page that could not be read. */
export async function knownOnDevice(id: string): Promise<Known> {
  const { queryClient } = await loadQueryCache()
  return knownAmong([...readingsIn(queryClient), ...(await readingsOnDevice(id))], id)
}
