// Notices of the operator for their readers: in full, and as a bar.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { noticeContent } from './content.ts'

/** The picture of a notice; sizes in px. */
export const noticePicture = v.object({
  url: v.string(),
  width: v.number(),
  height: v.number(),
})

export const noticeView = v.object({
  id,
  title: v.string(),
  /** The text without its marks. */
  body: v.string(),
  /** Absent in replies that a device cached before notices had marks. */
  content: v.optional(noticeContent),
  picture: v.optional(v.nullable(noticePicture)),
  is_advertising: v.optional(v.boolean(), false),
  published_at: instant,
  /** When it was last changed after it was published. */
  edited_at: v.optional(v.nullable(instant)),
})
export type NoticeView = v.InferOutput<typeof noticeView>

const params = v.object({ notice_id: id })

/** A notice of the operator, as far as it was published for people like the caller. */
export const getNotice = endpoint({
  name: 'getNotice',
  method: 'GET',
  path: '/notices/:notice_id',
  audience: 'member',
  cached: true,
  summary: 'お知らせ',
  params,
  reply: noticeView,
  errors: ['unauthenticated', 'not_found'],
})

/** Counts the caller as a reader of a notice, once, and marks its notification as read. */
export const readNotice = endpoint({
  name: 'readNotice',
  method: 'POST',
  path: '/notices/:notice_id/reading',
  audience: 'member',
  summary: 'お知らせを読んだことを記録します',
  params,
  reply: v.object({ data: v.object({ id }) }),
  errors: ['unauthenticated', 'not_found'],
})

/** Most bars shown at once; older ones wait until one is closed. */
export const MAX_BARS = 2

/** Urgent notices for the caller, newest first, without those that a member has closed. A visitor gets those for everyone. */
export const listBars = endpoint({
  name: 'listBars',
  method: 'GET',
  path: '/notices/bars',
  audience: 'open',
  summary: '画面の上に表示する重要なお知らせ',
  reply: v.object({
    bars: v.array(v.object({ id, title: v.string(), until: v.nullable(instant) })),
    /** The bar of the settings at runtime, the same for everyone; another text has another `key`. */
    bar: v.optional(
      v.nullable(v.object({ key: v.string(), text: v.string(), link: v.nullable(v.string()) })),
    ),
  }),
  errors: [],
})

/** Closes the bar of a notice for the caller, on all devices. */
export const closeBar = endpoint({
  name: 'closeBar',
  method: 'POST',
  path: '/notices/:notice_id/close',
  audience: 'member',
  summary: '重要なお知らせの表示を閉じます',
  params,
  reply: v.object({ data: v.object({ id }) }),
  errors: ['unauthenticated', 'not_found'],
})
