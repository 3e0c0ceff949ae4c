// Routes of settings: notifications, privacy, blocks, account information and storage.
import type { FastifyInstance } from 'fastify'
import {
  changeNotificationSetting,
  changePrivacySettings,
  getNotificationSettings,
  getPrivacySettings,
  type NotificationSetting,
  type PrivacySettings,
} from '#contract/accounts/settings.ts'
import { type SettingCd, settingCodes } from '#contract/notifications/setting-codes.ts'
import type { Deps } from '#server/deps.ts'
import { memberRoute } from '#server/http/route.ts'
import {
  changeNotificationChannels,
  changePrivacy,
  notificationChannelsOf,
  type Privacy,
  privacyOf,
  defaultChannels,
  type NotificationChannels,
} from '#server/store/accounts/settings.ts'
import { blockRoutes } from './blocks.ts'
import { ownInfoRoutes } from './own-info.ts'
import { storageRoutes } from './storage.ts'

export function settingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, transaction } = deps
  memberRoute(app, getNotificationSettings, async ({ viewer }) => {
    const chosen = await notificationChannelsOf(db, viewer.id)
    return { settings: settingCodes.map((code) => settingView(code, chosen.get(code) ?? defaultChannels)) }
  })
  memberRoute(app, changeNotificationSetting, async ({ viewer, params, body }) => {
    const change = definedFields({ inApp: body.in_app, push: body.push, mail: body.mail })
    return settingView(
      params.setting_cd,
      await changeNotificationChannels(db, viewer.id, params.setting_cd, change),
    )
  })
  memberRoute(app, getPrivacySettings, async ({ viewer }) => privacyView(await privacyOf(db, viewer.id)))
  memberRoute(app, changePrivacySettings, async ({ viewer, body }) => {
    const change = changeOf(body)
    const chosen = await transaction(({ tx, endConnections }) => {
      // The member may no longer have access to posts or channels that are open on a device.
      if (change.showsAgeLimited === false || change.sendsReadMarks === false)
        endConnections({ is: 'permissions', userIds: [viewer.id] })
      return changePrivacy(tx, viewer.id, change, clock())
    })
    return privacyView(chosen)
  })
  blockRoutes(app, deps)
  ownInfoRoutes(app, deps)
  storageRoutes(app, deps)
}

/** The fields that have a value. */
function definedFields<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}

function settingView(code: SettingCd, channels: NotificationChannels): NotificationSetting {
  return { setting_cd: code, in_app: channels.inApp, push: channels.push, mail: channels.mail }
}

/** The columns of the settings, by their names in the contract. */
const columns = {
  message_from: 'messageFrom',
  sends_read_marks: 'sendsReadMarks',
  shows_message_text: 'showsMessageText',
  shows_age_limited: 'showsAgeLimited',
  shows_share_card: 'showsShareCard',
  shows_presence: 'showsPresence',
} as const satisfies { readonly [K in keyof PrivacySettings]: keyof Privacy }

type Change = { readonly [K in keyof PrivacySettings]?: PrivacySettings[K] | undefined }

const changeOf = (body: Change): Partial<Privacy> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) => {
      const value = body[name as keyof PrivacySettings]
      return value === undefined ? [] : [[column, value]]
    }),
  )

const privacyView = (it: Privacy): PrivacySettings =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, it[column]]),
  ) as unknown as PrivacySettings
