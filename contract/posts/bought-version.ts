// The texts of a bought post, as they were when it was bought.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'

const texts = { title: v.string(), introduction: v.string(), content: v.string() }

/** Title and introduction are '' for none. */
export const postTexts = v.object(texts)
export type PostTextsView = v.InferOutput<typeof postTexts>

/**
 * What the member has bought of a post whose seller has changed it since; null where nothing was changed, or nothing bought. Pictures and
 * videos of a post cannot be changed. `not_found`: the post does not exist, or is not open to the member.
 */
export const getBoughtVersion = endpoint({
  name: 'getBoughtVersion',
  method: 'GET',
  path: '/posts/:post_id/bought',
  audience: 'member',
  summary: '購入したときの投稿の内容',
  params: v.object({ post_id: id }),
  reply: v.object({ version: v.nullable(v.object({ ...texts, changed_at: instant })) }),
  errors: ['unauthenticated', 'not_found'],
})
