// Follows, and the lists of followers and followed people.
import * as v from 'valibot'
import { countVersion } from '#contract/count-version.ts'
import { endpoint } from '#contract/endpoint.ts'
import { followList } from './follow-lists.ts'
import { id } from '#contract/ids.ts'
import { listedPerson } from './people.ts'

const reply = v.object({
  data: v.object({
    user_id: id,
    following: v.boolean(),
    /** How many follow them now. */
    follower_count: v.number(),
    version: countVersion,
  }),
})

/**
 * Follows a person; a second call changes nothing. Oneself is a `conflict`; a person who does not exist, or is blocked
 * by a block of either, is `not_found`.
 */
export const follow = endpoint({
  name: 'follow',
  method: 'PUT',
  path: '/follows/:user_id',
  audience: 'member',
  summary: 'フォローします',
  params: v.object({ user_id: id }),
  reply,
  errors: ['unauthenticated', 'not_found', 'conflict', 'hour_limit', 'day_limit', 'follow_limit'],
})

export const unfollow = endpoint({
  name: 'unfollow',
  method: 'DELETE',
  path: '/follows/:user_id',
  audience: 'member',
  summary: 'フォローを解除します',
  params: v.object({ user_id: id }),
  reply,
  errors: ['unauthenticated'],
})

/** Followers or followed people of a person, newest first, without people whom a block hides from the viewer. */
export const listFollows = endpoint({
  name: 'listFollows',
  method: 'GET',
  path: '/users/:user_id/follows/:list',
  audience: 'member',
  cached: true,
  summary: 'フォロワーとフォロー中',
  params: v.object({ user_id: id, list: followList }),
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({ people: v.array(listedPerson), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found'],
})
