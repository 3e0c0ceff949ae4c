// The form of a notice: its values, their problems, and what is sent.
import type { FieldCode } from '#contract/errors.ts'
import type { AudienceBody, NoticeDetail, NoticeFields } from '#contract/notices/admin-notices.ts'
import { type NoticeAudience, noticeAudiences } from '#contract/notices/notice-states.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { MAX_NOTICE_BODY, MAX_NOTICE_TITLE } from '#contract/notices/content.ts'
import { noticesText as words } from './text.ts'

export interface NoticeForm {
  readonly title: string
  readonly body: string
  readonly audience: NoticeAudience
  readonly creator: string
  readonly plan: string
  readonly build: string
  readonly which: 'older' | 'same'
  readonly pushes: boolean
  readonly mails: boolean
  readonly advertising: boolean
  readonly urgent: boolean
  /** A time of Asia/Tokyo as `2026-11-26T12:30`, or ''. */
  readonly until: string
}

const empty: NoticeForm = {
  title: '',
  body: '',
  audience: 'all',
  creator: '',
  plan: '',
  build: '',
  which: 'older',
  pushes: true,
  mails: false,
  advertising: false,
  urgent: false,
  until: '',
}

const TOKYO_MS = 9 * 3600_000

/** A moment as the value of a field for Asia/Tokyo. */
export const localTime = (at: string): string =>
  new Date(Date.parse(at) + TOKYO_MS).toISOString().slice(0, 16)

/** The moment of such a value; null without one. */
export function momentOf(local: string): string | null {
  const at = Date.parse(`${local}:00.000+09:00`)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** A stored build as the time at which it was made; it is in UTC. */
export const builtAt = (build: string): number =>
  Date.parse(build.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:00.000Z'))

export function formOf(notice: NoticeDetail | undefined): NoticeForm {
  if (!notice) return empty
  const { audience } = notice
  return {
    ...empty,
    title: notice.title,
    body: notice.body,
    audience: audience.is,
    ...(audience.is === 'members' && { creator: audience.creator, plan: audience.plan_id ?? '' }),
    ...(audience.is === 'build' && { build: audience.build, which: audience.which }),
    pushes: notice.pushes,
    mails: notice.mails,
    advertising: notice.is_advertising,
    urgent: notice.is_urgent,
    until: notice.bar_until === null ? '' : localTime(notice.bar_until),
  }
}

/** The values of a form as texts, by which a device stores what is not sent. */
export type TypedForm = Record<keyof NoticeForm, string>

export const typedOf = (form: NoticeForm): TypedForm =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, value === true ? 'on' : value || '']),
  ) as TypedForm

/** The form of such texts; the values of the stored form stand in for what is no value of a field. */
export function formFrom(typed: TypedForm, stored: NoticeForm): NoticeForm {
  const { pushes, mails, advertising, urgent } = typed
  return {
    ...stored,
    ...typed,
    audience: noticeAudiences.find((it) => it === typed.audience) ?? stored.audience,
    which: typed.which === 'same' ? 'same' : 'older',
    pushes: pushes !== '',
    mails: mails !== '',
    advertising: advertising !== '',
    urgent: urgent !== '',
  }
}

/** The audience of a form; undefined while it is incomplete. */
export function audienceOf(form: NoticeForm): AudienceBody | undefined {
  switch (form.audience) {
    case 'members': {
      const [creator, plan] = [form.creator.trim(), form.plan.trim()]
      return creator === '' ? undefined : { is: 'members', creator, plan_id: plan === '' ? null : plan }
    }
    case 'build':
      return form.build === '' ? undefined : { is: 'build', build: form.build, which: form.which }
    default:
      return { is: form.audience }
  }
}

export function fieldsOf(form: NoticeForm, audience: AudienceBody): NoticeFields {
  return {
    title: form.title,
    body: form.body,
    audience,
    pushes: form.pushes,
    mails: form.mails,
    is_advertising: form.advertising,
    is_urgent: form.urgent,
    bar_until: form.urgent ? momentOf(form.until) : null,
  }
}

/** Sentences below fields. */
export type Problems = Readonly<Partial<Record<'title' | 'body' | 'creator' | 'plan' | 'build', string>>>

export function problemsOf(form: NoticeForm): Problems {
  return {
    ...(form.title.trim() === '' && { title: words.problems.titleRequired }),
    ...(form.audience === 'members' && form.creator.trim() === '' && { creator: words.problems.creator }),
    ...(form.audience === 'build' && form.build === '' && { build: words.problems.build }),
  }
}

/** Sentences for what the server refused. */
export function refusedOf(fields: Readonly<Record<string, FieldCode>>): Problems {
  const { title, body, creator } = fields
  const plan = fields['plan_id'] ?? fields['audience.plan_id'] ?? fields['audience']
  return {
    ...(title && { title: fieldSentence(title, MAX_NOTICE_TITLE) }),
    ...(body && { body: fieldSentence(body, MAX_NOTICE_BODY) }),
    ...(creator && { creator: words.problems.creator }),
    ...(plan && { plan: words.problems.plan }),
  }
}
