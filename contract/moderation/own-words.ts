// Blocked words of a person: comments with one wait for that person's review.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'
import { nameText } from '#contract/rules.ts'
import { MAX_BLOCKED_WORD } from './hold-names.ts'

const ownWord = v.object({ id, word: v.string() })
export type OwnWord = v.InferOutput<typeof ownWord>

/** The viewer's words: comments with one below the viewer's posts wait for the viewer's review. The latest first. */
export const listOwnWords = endpoint({
  name: 'listOwnWords',
  method: 'GET',
  path: '/settings/words',
  audience: 'member',
  summary: '自分のブロックしたキーワード',
  reply: v.object({ words: v.array(ownWord) }),
  errors: ['unauthenticated'],
})

/** Adds a word. `conflict`: there are 200 already. Another spelling of a word of the list is `taken`; one of which folding leaves nothing is `invisible`. */
export const addOwnWord = endpoint({
  name: 'addOwnWord',
  method: 'POST',
  path: '/settings/words',
  audience: 'member',
  summary: 'キーワードをブロックします',
  body: v.object({ word: nameText(MAX_BLOCKED_WORD) }),
  reply: v.object({ word: ownWord }),
  errors: ['unauthenticated', 'conflict'],
})

/** Removes a word; without one it changes nothing. */
export const removeOwnWord = endpoint({
  name: 'removeOwnWord',
  method: 'DELETE',
  path: '/settings/words/:word_id',
  audience: 'member',
  summary: 'キーワードのブロックを外します',
  params: v.object({ word_id: id }),
  reply: v.object({ removed: v.literal(true) }),
  errors: ['unauthenticated'],
})
