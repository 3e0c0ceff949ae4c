// What people have chosen: privacy and notifications. A row that is not there means the defaults.
import { eq, sql } from 'drizzle-orm'
import type { MessageFrom } from '#contract/accounts/settings.ts'
import type { SettingCd } from '#contract/notifications/setting-codes.ts'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { notificationSettings, userSettings } from '#server/store/tables/settings.ts'

export interface Privacy {
  readonly messageFrom: MessageFrom
  readonly showsAgeLimited: boolean
  /** Share cards show the beginning and a picture of the person's open posts, and those pictures have plain addresses. */
  readonly showsShareCard: boolean
}

/** What holds for a person who has changed nothing. */
export const privacyDefaults: Privacy = {
  messageFrom: 'everyone',
  showsAgeLimited: false,
  showsShareCard: true,
}

const privacyColumns = {
  messageFrom: userSettings.messageFrom,
  showsAgeLimited: userSettings.showsAgeLimited,
  showsShareCard: userSettings.showsShareCard,
}

const privacyStatement = statement<{ user: string }, Privacy>(
  { user: 'uuid' },
  (place) => sql`select message_from as "messageFrom", shows_age_limited as "showsAgeLimited",
      shows_share_card as "showsShareCard"
    from ${userSettings} where ${userSettings.userId} = ${place('user')}`,
)

export async function privacyOf(db: Db, userId: string): Promise<Privacy> {
  const [row] = await privacyStatement(db, { user: userId })
  return row ?? privacyDefaults
}

/** Changes what is named; the rest stays as it was. */
export async function changePrivacy(
  db: Db,
  userId: string,
  change: Partial<Privacy>,
  now: number,
): Promise<Privacy> {
  const updatedAt = new Date(now)
  const rows = await db
    .insert(userSettings)
    .values({ userId, ...privacyDefaults, ...change, updatedAt })
    .onConflictDoUpdate({ target: userSettings.userId, set: { ...change, updatedAt } })
    .returning(privacyColumns)
  return rows[0] ?? privacyDefaults
}

export interface Ways {
  readonly inApp: boolean
  readonly push: boolean
  readonly mail: boolean
}

/** Mail is for those who ask for it. */
export const wayDefaults: Ways = { inApp: true, push: true, mail: false }

const wayColumns = {
  inApp: notificationSettings.inApp,
  push: notificationSettings.push,
  mail: notificationSettings.mail,
}

/** What was chosen, by kind; a kind that is not there has the defaults. */
export async function notificationWaysOf(db: Db, userId: string): Promise<Map<string, Ways>> {
  const rows = await db
    .select({ settingCd: notificationSettings.settingCd, ...wayColumns })
    .from(notificationSettings)
    .where(eq(notificationSettings.userId, userId))
  return new Map(rows.map(({ settingCd, ...ways }) => [settingCd, ways]))
}

/** Changes what is named of one kind; the rest stays as it was. */
export async function changeNotificationWays(
  db: Db,
  userId: string,
  settingCd: SettingCd,
  change: Partial<Ways>,
): Promise<Ways> {
  const rows = await db
    .insert(notificationSettings)
    .values({ userId, settingCd, ...wayDefaults, ...change })
    .onConflictDoUpdate({
      target: [notificationSettings.userId, notificationSettings.settingCd],
      // An empty change still answers with the row.
      set: { settingCd: sql`excluded.setting_cd`, ...change },
    })
    .returning(wayColumns)
  return rows[0] ?? wayDefaults
}
