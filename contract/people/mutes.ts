// Mutes: people whose content a member hides. The muted person sees no difference.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from './people.ts'

const reply = v.object({ data: v.object({ user_id: id, muted: v.boolean() }) })

/** Removes their posts and comments from the member's lists. A repeat changes nothing. */
export const mutePerson = endpoint({
  name: 'mutePerson',
  method: 'PUT',
  path: '/mutes/:user_id',
  audience: 'member',
  summary: 'ミュートします',
  params: v.object({ user_id: id }),
  reply,
  errors: ['unauthenticated', 'not_found', 'conflict'],
})

export const unmutePerson = endpoint({
  name: 'unmutePerson',
  method: 'DELETE',
  path: '/mutes/:user_id',
  audience: 'member',
  summary: 'ミュートを解除します',
  params: v.object({ user_id: id }),
  reply,
  errors: ['unauthenticated'],
})

/** People the member has muted, the latest first. */
export const listMutes = endpoint({
  name: 'listMutes',
  method: 'GET',
  path: '/mutes',
  audience: 'member',
  summary: 'ミュートした人',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({
    people: v.array(v.object({ ...personView.entries, muted_at: instant })),
    next: v.nullable(v.string()),
  }),
  errors: ['unauthenticated'],
})
