// Blocked words: of the operator, and of a person.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { maxLength, nameText } from '#contract/rules.ts'
import { fold } from '#contract/text/fold.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { MAX_BLOCKED_WORD, MAX_FOLDED_WORD, MAX_WORD_NOTE } from './hold-names.ts'

/** A word as it was typed. `invisible`: folded, nothing is left of it. */
export const blockedWord = v.pipe(
  nameText(MAX_BLOCKED_WORD),
  v.nonEmpty('required'),
  v.check((it) => fold(it) !== '', 'invisible'),
  v.check((it) => fold(it).length <= MAX_FOLDED_WORD, 'too_long'),
)

export const operatorWord = v.object({
  id,
  word: v.string(),
  /** As texts are compared with it. */
  folded: v.string(),
  note: v.string(),
  added_by: v.nullable(v.object({ id, name: v.string() })),
  added_at: instant,
  /** How often it has held a post or comment. */
  hits: v.number(),
})
export type OperatorWord = v.InferOutput<typeof operatorWord>

/** Words that hold posts and comments of everyone for a review by staff, the latest first. */
export const listOperatorWords = endpoint({
  name: 'listOperatorWords',
  method: 'GET',
  path: '/admin/words',
  audience: 'staff:reports',
  summary: '確認待ちにするキーワード',
  reply: v.object({ words: v.array(operatorWord) }),
  errors: ['unauthenticated', 'not_found'],
})

/** Adds a word. `conflict`: there are 1,000 already. Another spelling of a word of the list changes nothing: `taken`. */
export const addOperatorWord = endpoint({
  name: 'addOperatorWord',
  method: 'POST',
  path: '/admin/words',
  audience: 'staff:reports',
  summary: '確認待ちにするキーワードを追加します',
  body: v.object({
    word: blockedWord,
    note: v.optional(
      v.pipe(
        v.string(),
        v.transform((it) => asLines(it).trim()),
        maxLength(MAX_WORD_NOTE),
      ),
      '',
    ),
  }),
  reply: v.object({ word: operatorWord }),
  errors: ['unauthenticated', 'not_found', 'conflict'],
})

export const removeOperatorWord = endpoint({
  name: 'removeOperatorWord',
  method: 'DELETE',
  path: '/admin/words/:word_id',
  audience: 'staff:reports',
  summary: '確認待ちにするキーワードを外します',
  params: v.object({ word_id: id }),
  reply: v.object({ removed: v.literal(true) }),
  errors: ['unauthenticated', 'not_found'],
})

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

/** Adds a word. `conflict`: there are 200 already. Another spelling of a word of the list changes nothing: `taken`. */
export const addOwnWord = endpoint({
  name: 'addOwnWord',
  method: 'POST',
  path: '/settings/words',
  audience: 'member',
  summary: 'キーワードをブロックします',
  body: v.object({ word: blockedWord }),
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
