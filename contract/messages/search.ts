// Search in the messages of the viewer.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { day } from '#contract/rules.ts'
import { searchText } from '#contract/search/search.ts'
import { messageView } from './messages.ts'
import { messageParts, messageWriters } from './search-choices.ts'

/**
 * Messages that the viewer sees and that contain every searched word, newest first. `user_id`: in the conversation with this
 * person alone; `since`, `until`: days in Tokyo, both included. `cursor` is the previous page's `next`.
 */
export const searchMessages = endpoint({
  name: 'searchMessages',
  method: 'GET',
  path: '/messages/search',
  audience: 'member',
  summary: 'メッセージを検索します（新しい順）',
  query: v.object({
    q: searchText,
    user_id: v.optional(id),
    from: v.optional(v.picklist(messageWriters)),
    has: v.optional(v.picklist(messageParts)),
    since: v.optional(day),
    until: v.optional(day),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  reply: v.object({
    hits: v.array(
      v.object({
        /** The other person of the conversation. */
        person: personView,
        message: messageView,
      }),
    ),
    next: v.nullable(v.string()),
  }),
  errors: ['unauthenticated'],
})
