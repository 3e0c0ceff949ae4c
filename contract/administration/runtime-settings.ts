// Settings that admins change while the servers run, with their history.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { nameText } from '#contract/rules.ts'
import {
  limitBounds,
  limitNames,
  MAX_BAR,
  MAX_BAR_LINK,
  registrationModes,
  settingNames,
} from './runtime-names.ts'

/** A path of this site: one slash, then neither a slash nor a backslash, which browsers read as another host. */
const isPath = (it: string): boolean =>
  it.startsWith('/') && it[1] !== '/' && !it.includes('\\') && !/\s|\p{Cc}/u.test(it)

/** The text above every page, for visitors too, from a moment to before another one. */
export const bar = v.pipe(
  v.strictObject({
    text: nameText(MAX_BAR),
    link: v.nullable(v.pipe(v.string(), v.maxLength(MAX_BAR_LINK, 'too_long'), v.check(isPath, 'malformed'))),
    from: instant,
    until: instant,
  }),
  v.forward(
    v.check((it) => Date.parse(it.from) < Date.parse(it.until), 'too_small'),
    ['until'],
  ),
)
export type Bar = v.InferOutput<typeof bar>

const mode = v.picklist(registrationModes)

/** A limit is a whole number; `too_small` and `too_large` beyond its bounds. Null: the default. */
const limitOf = (name: (typeof limitNames)[number]) =>
  v.nullable(
    v.pipe(
      v.number(),
      v.integer('malformed'),
      v.minValue(limitBounds[name].least, 'too_small'),
      v.maxValue(limitBounds[name].most, 'too_large'),
    ),
  )

/** A new value of each setting that changes; null for the default. What is left out stays. */
export const settingChange = v.strictObject({
  registration: v.optional(v.nullable(mode)),
  bar: v.optional(v.nullable(bar)),
  upload_mib_member: v.optional(limitOf('upload_mib_member')),
  upload_mib_staff: v.optional(limitOf('upload_mib_staff')),
  unfinished_uploads: v.optional(limitOf('unfinished_uploads')),
  stored_gib: v.optional(limitOf('stored_gib')),
  posts_per_day: v.optional(limitOf('posts_per_day')),
  comments_per_hour: v.optional(limitOf('comments_per_hour')),
  messages_per_hour: v.optional(limitOf('messages_per_hour')),
  follows_per_hour: v.optional(limitOf('follows_per_hour')),
  sign_ups_per_day: v.optional(limitOf('sign_ups_per_day')),
})
export type SettingChange = v.InferOutput<typeof settingChange>

/** A stored value: of a limit, of the registration, or of the bar; null where the default applies. */
export const settingValue = v.nullable(v.union([v.number(), mode, bar]))
export type SettingValue = v.InferOutput<typeof settingValue>

const limitView = v.object({
  name: v.picklist(limitNames),
  /** Null where the default applies. */
  value: v.nullable(v.number()),
  /** Null for no limit: the environment has turned it off. */
  usual: v.nullable(v.number()),
  least: v.number(),
  most: v.number(),
})
export type LimitView = v.InferOutput<typeof limitView>

const settingsView = v.object({
  registration: mode,
  bar: v.nullable(bar),
  limits: v.array(limitView),
})
export type RuntimeSettingsView = v.InferOutput<typeof settingsView>

export const getRuntimeSettings = endpoint({
  name: 'getRuntimeSettings',
  method: 'GET',
  path: '/admin/settings',
  audience: 'staff:machine',
  summary: 'サーバーを止めずに変更できる設定',
  reply: settingsView,
  errors: ['unauthenticated', 'not_found'],
})

/** Changes settings, for every server within five seconds. Requires a validation. */
export const changeRuntimeSettings = endpoint({
  name: 'changeRuntimeSettings',
  method: 'POST',
  path: '/admin/settings',
  audience: 'staff:machine',
  summary: '設定を変更します',
  body: settingChange,
  reply: settingsView,
  errors: ['unauthenticated', 'not_found', 'validation_required', 'invalid'],
})

const settingHistory = v.object({
  id,
  name: v.picklist(settingNames),
  from: settingValue,
  to: settingValue,
  /** The admin; a null name after the account was deleted. */
  by: v.object({ id, name: v.nullable(v.string()) }),
  at: instant,
})
export type SettingHistory = v.InferOutput<typeof settingHistory>

/** Every change of a setting, newest first. */
export const listSettingChanges = endpoint({
  name: 'listSettingChanges',
  method: 'GET',
  path: '/admin/settings/changes',
  audience: 'staff:machine',
  summary: '設定の変更の履歴',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(300))) }),
  reply: v.object({ changes: v.array(settingHistory), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found', 'invalid'],
})
