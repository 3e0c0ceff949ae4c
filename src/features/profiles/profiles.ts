// Queries of profiles, follow lists and suggested people.
import { queryOptions } from '@tanstack/react-query'
import type { FollowList } from '#contract/people/follow-lists.ts'
import { listFollows } from '#contract/people/follows.ts'
import { getOwnPictures, getProfile, suggestPeople } from '#contract/people/people.ts'
import { listPosts, type PostType } from '#contract/posts/posts.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { pagesFor, queryFor } from '#src/domain/queries/query.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { peopleText } from '#src/domain/people/text.ts'
import { toast } from '#src/ui/overlays/toast.ts'

/** A person's profile, read at every visit, since a block may hide it. */
export const profileQuery = (id: string) =>
  queryOptions({
    ...queryFor(getProfile, { params: { user_id: id } }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** One person's posts, newest first, of all types or of one. */
export const postsOf = (author: string, type?: PostType) =>
  pagesFor(listPosts, {
    query: type === undefined ? { author } : { author, type: String(type) as '1' | '2' | '3' },
  })

export const followsQuery = (id: string, list: FollowList) =>
  pagesFor(listFollows, { params: { user_id: id, list } })

export const suggestedQuery = queryFor(suggestPeople, {})

export const picturesQuery = queryFor(getOwnPictures, {})

/** Shows why an action about a person failed. */
export function showFailure(failure: unknown): void {
  if (!(failure instanceof ApiFailure)) throw failure
  toast(`${peopleText.notDone}${errorText[failure.code]}`, 'error')
}
