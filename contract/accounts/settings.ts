// Settings of a person: notifications, privacy, blocks and account information.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MAX_NAME } from '#contract/limits.ts'
import { membershipNote } from '#contract/memberships/memberships.ts'
import { personView } from '#contract/people/people.ts'
import { accountNameCard, confirmOld, nameText, orBlank } from '#contract/rules.ts'
import { keepsTo } from '#contract/text/text-rule.ts'
import { settingCd } from '#contract/notifications/setting-codes.ts'

/** The channels by which one kind of notification reaches a person. */
const channels = { in_app: v.boolean(), push: v.boolean(), mail: v.boolean() }
export type NotificationChannel = keyof typeof channels

const someOf = <E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.partial(v.object(entries)),
    v.check((it) => Object.keys(it).length > 0, 'required'),
  )

export const notificationSetting = v.object({ setting_cd: settingCd, ...channels })
export type NotificationSetting = v.InferOutput<typeof notificationSetting>

/** Every kind, in the order of `settingCodes`. */
export const getNotificationSettings = endpoint({
  name: 'getNotificationSettings',
  method: 'GET',
  path: '/settings/notification',
  audience: 'member',
  summary: '通知の設定',
  reply: v.object({ settings: v.array(notificationSetting) }),
  errors: ['unauthenticated'],
})

/** Changes what is named and nothing else, so that two changes at once both stay. */
export const changeNotificationSetting = endpoint({
  name: 'changeNotificationSetting',
  method: 'PATCH',
  path: '/settings/notification/:setting_cd',
  audience: 'member',
  summary: '通知の設定をひとつ変更します',
  params: v.object({ setting_cd: settingCd }),
  body: someOf(channels),
  reply: notificationSetting,
  errors: ['unauthenticated'],
})

/** Members of the person's plans pass with all of these but the last one. */
export const messageFrom = v.picklist(['everyone', 'following', 'plan_members', 'nobody'])
export type MessageFrom = v.InferOutput<typeof messageFrom>

const privacy = {
  /** Who may send a message. */
  message_from: messageFrom,
  /** Off: others do not see what the person has received and read, nor the person what others have. */
  sends_read_marks: v.boolean(),
  /** Off: a push of a message shows who sent it, and no text. */
  shows_message_text: v.boolean(),
  /** Off: age-limited posts of others are shown as a preview with `age` in `wants`. */
  shows_age_limited: v.boolean(),
  /** Off: links to the person's open posts show no text and no picture to people who are not signed in. */
  shows_share_card: v.boolean(),
  /** On: people of open conversations who also have it on see when this person last had the app open, and vice versa. */
  shows_presence: v.boolean(),
}
export const privacySettings = v.object(privacy)
export type PrivacySettings = v.InferOutput<typeof privacySettings>

export const getPrivacySettings = endpoint({
  name: 'getPrivacySettings',
  method: 'GET',
  path: '/settings/privacy',
  audience: 'member',
  summary: 'プライバシーの設定',
  reply: privacySettings,
  errors: ['unauthenticated'],
})

export const changePrivacySettings = endpoint({
  name: 'changePrivacySettings',
  method: 'PATCH',
  path: '/settings/privacy',
  audience: 'member',
  summary: 'プライバシーの設定を変更します',
  body: someOf(privacy),
  reply: privacySettings,
  errors: ['unauthenticated'],
})

/** People the member has blocked, the latest first. `cursor` is the previous page's `next`. */
export const listBlocks = endpoint({
  name: 'listBlocks',
  method: 'GET',
  path: '/blocks',
  audience: 'member',
  summary: 'ブロックした人',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({
    people: v.array(v.object({ ...personView.entries, blocked_at: instant })),
    next: v.nullable(v.string()),
  }),
  errors: ['unauthenticated'],
})

const blockReply = v.object({ data: v.object({ user_id: id, blocked: v.boolean() }) })

/** The paid memberships between two people that a block would stop; null without one. */
export const getBlockEffects = endpoint({
  name: 'getBlockEffects',
  method: 'GET',
  path: '/blocks/:user_id/effects',
  audience: 'member',
  summary: 'ブロックすると解約になるプラン',
  params: v.object({ user_id: id }),
  reply: v.object({
    /** The viewer's membership of a plan of the other person. */
    own: v.nullable(membershipNote),
    /** The other person's membership of a plan of the viewer. */
    theirs: v.nullable(membershipNote),
  }),
  errors: ['unauthenticated'],
})

/** Blocking hides the posts of each person from the other at once. A repeat changes nothing. */
export const blockPerson = endpoint({
  name: 'blockPerson',
  method: 'PUT',
  path: '/blocks/:user_id',
  audience: 'member',
  summary: 'ブロックします',
  params: v.object({ user_id: id }),
  reply: blockReply,
  errors: ['unauthenticated', 'not_found', 'conflict'],
})

export const unblockPerson = endpoint({
  name: 'unblockPerson',
  method: 'DELETE',
  path: '/blocks/:user_id',
  audience: 'member',
  summary: 'ブロックを解除します',
  params: v.object({ user_id: id }),
  reply: blockReply,
  errors: ['unauthenticated'],
})

/** Account information of a person. Only the name is shown to others. */
export const ownInfo = v.object({
  name: v.string(),
  email: v.string(),
  birth_date: v.string(),
  legal_name: v.string(),
  legal_name_kana: v.string(),
  /** An identity check was approved: the birth date cannot be changed. */
  identified: v.boolean(),
})
export type OwnInfo = v.InferOutput<typeof ownInfo>

export const ownInfoBody = v.object({
  name: nameText(MAX_NAME),
  legal_name: v.pipe(v.string(), v.trim(), keepsTo({ max: MAX_NAME, shape: 'name' })),
  legal_name_kana: orBlank(accountNameCard),
  birth_date: confirmOld,
})

export const getOwnInfo = endpoint({
  name: 'getOwnInfo',
  method: 'GET',
  path: '/auth/info',
  audience: 'member',
  summary: '自分のアカウント情報',
  reply: ownInfo,
  errors: ['unauthenticated'],
})

/** Name and reading as a document has them: an identity check compares them (decision 120). */
export const legalNameBody = v.object({
  legal_name: nameText(MAX_NAME),
  legal_name_kana: accountNameCard,
})

export const setLegalName = endpoint({
  name: 'setLegalName',
  method: 'PUT',
  path: '/auth/legal-name',
  audience: 'member',
  summary: '自分の氏名とフリガナを登録します',
  body: legalNameBody,
  reply: ownInfo,
  errors: ['unauthenticated'],
})

/** A birth date that an identity check has approved is refused as `locked`. */
export const changeOwnInfo = endpoint({
  name: 'changeOwnInfo',
  method: 'PUT',
  path: '/auth/info',
  audience: 'member',
  summary: '自分のアカウント情報を変更します',
  body: ownInfoBody,
  reply: ownInfo,
  errors: ['unauthenticated'],
})
