// Privacy and notification settings of people; a missing row means the defaults.
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { SettingCd } from '#contract/notifications/setting-codes.ts'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { notificationSettings, userSettings } from '#server/store/tables/settings.ts'

/** What a person has chosen: a column of the table that is none of these is a setting. */
export type Privacy = Readonly<Omit<typeof userSettings.$inferSelect, 'userId' | 'seenAt' | 'updatedAt'>>

/** The settings of a person who has changed none. */
export const privacyDefaults: Privacy = {
  messageFrom: 'everyone',
  sendsReadMarks: true,
  showsMessageText: true,
  showsAgeLimited: false,
  showsShareCard: true,
  showsPresence: false,
}

const privacyColumns: { readonly [K in keyof Privacy]: (typeof userSettings)[K] } = {
  messageFrom: userSettings.messageFrom,
  sendsReadMarks: userSettings.sendsReadMarks,
  showsMessageText: userSettings.showsMessageText,
  showsAgeLimited: userSettings.showsAgeLimited,
  showsShareCard: userSettings.showsShareCard,
  showsPresence: userSettings.showsPresence,
}

const privacyStatement = statement<{ user: string }, Privacy>(
  { user: 'uuid' },
  (param) =>
    sql`select ${sql.join(
      Object.entries(privacyColumns).map(([key, column]) => sql`${column} as ${sql.identifier(key)}`),
      sql`, `,
    )} from ${userSettings} where ${userSettings.userId} = ${param('user')}`,
)

export async function privacyOf(db: Db, userId: string): Promise<Privacy> {
  const [row] = await privacyStatement(db, { user: userId })
  return row ?? privacyDefaults
}

/** Changes the named settings and returns all of them. The time of presence begins and ends with `showsPresence`. */
export async function changePrivacy(
  db: Db,
  userId: string,
  change: Partial<Privacy>,
  now: number,
): Promise<Privacy> {
  const updatedAt = new Date(now)
  const seenAt = change.showsPresence ? seenStep(now) : null
  const presence = change.showsPresence !== undefined && { seenAt }
  const rows = await db
    .insert(userSettings)
    .values({ userId, ...privacyDefaults, ...change, ...presence, updatedAt })
    .onConflictDoUpdate({ target: userSettings.userId, set: { ...change, ...presence, updatedAt } })
    .returning(privacyColumns)
  return rows[0] ?? privacyDefaults
}

/** Times of presence are stored to this, ms, so that each person's row changes at most once in it. */
export const SEEN_STEP_MS = 5 * 60_000

const seenStep = (now: number) => new Date(now - (now % SEEN_STEP_MS))

/** Records that pages of these people are connected, for those who show their presence. */
export async function recordSeen(db: Db, userIds: readonly string[], now: number): Promise<void> {
  if (userIds.length === 0) return
  const seenAt = seenStep(now)
  const { userId, showsPresence, seenAt: before } = userSettings
  await db
    .update(userSettings)
    .set({ seenAt })
    .where(and(inArray(userId, [...userIds]), showsPresence, or(isNull(before), lt(before, seenAt))))
}

export interface NotificationChannels {
  readonly inApp: boolean
  readonly push: boolean
  readonly mail: boolean
}

/** Email is opt-in. */
export const defaultChannels: NotificationChannels = { inApp: true, push: true, mail: false }

const channelColumns = {
  inApp: notificationSettings.inApp,
  push: notificationSettings.push,
  mail: notificationSettings.mail,
}

/** The chosen channels, by kind of notification; a missing kind has the defaults. */
export async function notificationChannelsOf(
  db: Db,
  userId: string,
): Promise<Map<string, NotificationChannels>> {
  const rows = await db
    .select({ settingCd: notificationSettings.settingCd, ...channelColumns })
    .from(notificationSettings)
    .where(eq(notificationSettings.userId, userId))
  return new Map(rows.map(({ settingCd, ...channels }) => [settingCd, channels]))
}

/** Changes the named channels of one kind of notification and returns all of them. */
export async function changeNotificationChannels(
  db: Db,
  userId: string,
  settingCd: SettingCd | 'notice',
  change: Partial<NotificationChannels>,
): Promise<NotificationChannels> {
  const rows = await db
    .insert(notificationSettings)
    .values({ userId, settingCd, ...defaultChannels, ...change })
    .onConflictDoUpdate({
      target: [notificationSettings.userId, notificationSettings.settingCd],
      // With an empty change the statement still returns the row.
      set: { settingCd: sql`excluded.setting_cd`, ...change },
    })
    .returning(channelColumns)
  return rows[0] ?? defaultChannels
}
