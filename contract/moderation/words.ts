// Blocked words of the operator, which hold posts and comments of everyone.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { maxLength, nameText } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { MAX_BLOCKED_WORD, MAX_WORD_NOTE } from './hold-names.ts'

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

/** Adds a word. `conflict`: there are 1,000 already. Another spelling of a word of the list is `taken`; one of which folding leaves nothing is `invisible`. */
export const addOperatorWord = endpoint({
  name: 'addOperatorWord',
  method: 'POST',
  path: '/admin/words',
  audience: 'staff:reports',
  summary: '確認待ちにするキーワードを追加します',
  body: v.object({
    word: nameText(MAX_BLOCKED_WORD),
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
