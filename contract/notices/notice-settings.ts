// Settings about notices of the operator: push, email, and the consent to advertising.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { instant } from '#contract/ids.ts'

const fields = { push: v.boolean(), mail: v.boolean(), advertising: v.boolean() }

/** `advertising`: advertising notices may come by push and email. */
export const noticeSettings = v.object({
  ...fields,
  /** When the consent to advertising was given; null without one. */
  advertising_since: v.nullable(instant),
})
export type NoticeSettings = v.InferOutput<typeof noticeSettings>

export const getNoticeSettings = endpoint({
  name: 'getNoticeSettings',
  method: 'GET',
  path: '/settings/notices',
  audience: 'member',
  summary: '運営からのお知らせの設定',
  reply: noticeSettings,
  errors: ['unauthenticated'],
})

/** Changes what is named and nothing else. */
export const changeNoticeSettings = endpoint({
  name: 'changeNoticeSettings',
  method: 'PATCH',
  path: '/settings/notices',
  audience: 'member',
  summary: '運営からのお知らせの設定を変更します',
  body: v.pipe(
    v.partial(v.object(fields)),
    v.check((it) => Object.keys(it).length > 0, 'required'),
  ),
  reply: noticeSettings,
  errors: ['unauthenticated'],
})
