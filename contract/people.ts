// People: how a person looks to others.
import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { id } from './ids.ts'

export const personView = v.object({
  id,
  name: v.string(),
  /** What `@` in a text names them by; null until chosen. */
  handle: v.nullable(v.string()),
  avatar_url: v.nullable(v.string()),
})
export type PersonView = v.InferOutput<typeof personView>

export const profileView = v.object({
  ...personView.entries,
  bio: v.string(),
  cover_url: v.nullable(v.string()),
  post_count: v.number(),
})

export const getProfile = endpoint({
  name: 'getProfile',
  method: 'GET',
  path: '/users/:user_id',
  audience: 'open',
  summary: 'プロフィール',
  params: v.object({ user_id: id }),
  reply: profileView,
  errors: ['not_found'],
})
