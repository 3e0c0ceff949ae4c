// Notices as staff write, publish, stop and withdraw them.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { day, maxLength, nameText } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { MAX_NOTICE_BODY, MAX_NOTICE_TITLE, noticeContent } from './content.ts'
import { noticeAudiences, noticeLists, noticeStates } from './notice-states.ts'
import { noticePicture } from './notices.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** When a build of the app was made: year, month, day, hour and minute in UTC. A later build is a larger text. */
export const build = v.pipe(v.string(), v.regex(/^\d{12}$/, 'malformed'))

/** `creator`: handle with or without @, or id; a reply has the id. `plan_id` null: all plans of the creator. */
export const audienceBody = v.variant('is', [
  v.object({ is: v.picklist(['all', 'creators', 'staff']) }),
  v.object({
    is: v.literal('members'),
    creator: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(100, 'too_long')),
    plan_id: v.nullable(id),
  }),
  /** `older`: builds before this one, and those that name none. `same`: this build. */
  v.object({ is: v.literal('build'), build, which: v.picklist(['older', 'same']) }),
])
export type AudienceBody = v.InferOutput<typeof audienceBody>

const fields = {
  title: nameText(MAX_NOTICE_TITLE),
  /** Markdown: paragraphs, headings, bold, lists and https links. */
  body: v.pipe(v.string(), v.transform(asLines), maxLength(MAX_NOTICE_BODY)),
  audience: audienceBody,
  /** Whether it also goes by push and by email, to those whose settings allow it. */
  pushes: v.boolean(),
  mails: v.boolean(),
  /** Push and email then go to people with a consent alone (特定電子メール法). */
  is_advertising: v.boolean(),
  /** Whether pages show it as a bar, until `bar_until` if that is set. */
  is_urgent: v.boolean(),
  bar_until: v.nullable(instant),
}
export const noticeFields = v.object(fields)
export type NoticeFields = v.InferOutput<typeof noticeFields>

const row = v.object({
  id,
  title: v.string(),
  state: v.picklist(noticeStates),
  audience: v.picklist(noticeAudiences),
  is_urgent: v.boolean(),
  is_advertising: v.boolean(),
  created_at: instant,
  /** When it is or was published; null for a draft. */
  published_at: v.nullable(instant),
  edited_at: v.nullable(instant),
  /** People of the audience when it was published; null before. */
  total: v.nullable(count),
  /** People of the audience whom the batches have reached, and those of them who got it. */
  reached: count,
  delivered: count,
  /** People who opened it. */
  readers: count,
})
export type NoticeRowView = v.InferOutput<typeof row>

const detail = v.object({
  ...row.entries,
  ...fields,
  title: v.string(),
  body: v.string(),
  content: noticeContent,
  audience: audienceBody,
  /** Name of the creator of the audience, and of the plan. */
  audience_names: v.object({ creator: v.nullable(v.string()), plan: v.nullable(v.string()) }),
  picture: v.nullable(noticePicture),
  picture_state: v.picklist(['none', 'awaited', 'processing', 'ready', 'failed']),
  /** Changes with every change of the notice by staff. */
  revision: count,
  /** Days in Asia/Tokyo on which people opened it first, the earliest first. */
  readers_by_day: v.array(v.object({ day, readers: count })),
})
export type NoticeDetail = v.InferOutput<typeof detail>

const params = v.object({ notice_id: id })
const errors = ['unauthenticated', 'not_found'] as const

/** Newest first. */
export const listNotices = endpoint({
  name: 'listNotices',
  method: 'GET',
  path: '/admin/notices',
  audience: 'staff:notices',
  summary: 'お知らせの一覧',
  query: v.object({
    list: v.optional(v.picklist(noticeLists), 'all'),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  reply: v.object({ notices: v.array(row), next: v.nullable(v.string()) }),
  errors,
})

export const getNoticeDetail = endpoint({
  name: 'getNoticeDetail',
  method: 'GET',
  path: '/admin/notices/:notice_id',
  audience: 'staff:notices',
  summary: 'お知らせの内容と配信の状況',
  params,
  reply: detail,
  errors,
})

/** Stores a draft. Sent again with the same id it changes nothing. `invalid` at `creator` or `plan_id`: unknown. */
export const addNotice = endpoint({
  name: 'addNotice',
  method: 'POST',
  path: '/admin/notices',
  audience: 'staff:notices',
  summary: 'お知らせの下書きを保存します',
  body: v.object({ id, ...fields }),
  reply: detail,
  errors,
})

/**
 * Changes a notice. After it was published only the words and the bar change, and readers see when; other fields have to be
 * as they were. `conflict`: another person has changed it since `revision`, it was withdrawn, or a fixed field differs.
 */
export const changeNotice = endpoint({
  name: 'changeNotice',
  method: 'PUT',
  path: '/admin/notices/:notice_id',
  audience: 'staff:notices',
  summary: 'お知らせを変更します',
  params,
  body: v.object({ revision: count, ...fields }),
  reply: detail,
  errors: [...errors, 'conflict'],
})

/** Deletes a draft. `conflict`: it was scheduled or published. */
export const removeNotice = endpoint({
  name: 'removeNotice',
  method: 'DELETE',
  path: '/admin/notices/:notice_id',
  audience: 'staff:notices',
  summary: 'お知らせの下書きを破棄します',
  params,
  reply: v.object({ data: v.object({ id }) }),
  errors: [...errors, 'conflict'],
})

export const noticeActs = ['schedule', 'unschedule', 'publish', 'stop', 'resume', 'withdraw'] as const
export type NoticeAct = (typeof noticeActs)[number]

/**
 * Changes the state of a notice. `schedule`, `publish` and `resume` require a validation. `conflict`: another person has changed
 * it since `revision`, or its state does not allow the act. `invalid` at `body`: empty; at `at`: not in the future, or missing;
 * at `is_advertising`: the operator has no name and address, which the law demands in such an email.
 */
export const actOnNotice = endpoint({
  name: 'actOnNotice',
  method: 'POST',
  path: '/admin/notices/:notice_id/state',
  audience: 'staff:notices',
  summary: 'お知らせを予約・公開・停止・再開・取り下げします',
  params,
  body: v.object({ act: v.picklist(noticeActs), revision: count, at: v.optional(v.nullable(instant), null) }),
  reply: detail,
  errors: [...errors, 'validation_required', 'conflict'],
})

/** Sets the picture of a notice, in place of another one. */
export const putNoticePicture = endpoint({
  name: 'putNoticePicture',
  method: 'POST',
  path: '/admin/notices/:notice_id/picture',
  audience: 'staff:notices',
  summary: 'お知らせの画像を設定します',
  params,
  encoding: 'multipart',
  files: ['picture'],
  body: v.object({}),
  reply: detail,
  errors: [...errors, 'conflict', 'unsupported_media', 'storage_limit'],
})

export const removeNoticePicture = endpoint({
  name: 'removeNoticePicture',
  method: 'DELETE',
  path: '/admin/notices/:notice_id/picture',
  audience: 'staff:notices',
  summary: 'お知らせの画像を外します',
  params,
  reply: detail,
  errors: [...errors, 'conflict'],
})

/** The tree of a text, as readers would get it. Nothing is stored. */
export const previewNotice = endpoint({
  name: 'previewNotice',
  method: 'POST',
  path: '/admin/notices/preview',
  audience: 'staff:notices',
  summary: 'お知らせの見え方',
  body: v.object({ body: fields.body }),
  reply: v.object({ content: noticeContent, body: v.string() }),
  errors,
})

/** How many people an audience has now, and how many of them have a consent to advertising. */
export const countNoticeAudience = endpoint({
  name: 'countNoticeAudience',
  method: 'POST',
  path: '/admin/notices/audience',
  audience: 'staff:notices',
  summary: 'お知らせが届く人数',
  body: v.object({ audience: audienceBody }),
  reply: v.object({ people: count, consenting: count }),
  errors,
})

/** Builds of the app that devices have used last, the newest first, at most 50. */
export const listBuilds = endpoint({
  name: 'listBuilds',
  method: 'GET',
  path: '/admin/notices/builds',
  audience: 'staff:notices',
  summary: '使われているアプリのバージョン',
  reply: v.object({ builds: v.array(v.object({ build, people: count })) }),
  errors,
})

/** Every endpoint of staff about notices. */
export const adminNoticeEndpoints = [
  listNotices,
  addNotice,
  listBuilds,
  previewNotice,
  countNoticeAudience,
  getNoticeDetail,
  changeNotice,
  removeNotice,
  actOnNotice,
  putNoticePicture,
  removeNoticePicture,
] as const
