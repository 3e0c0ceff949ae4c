// Settings of a person about notices, and the consent to advertising.
import type { BodyOf } from '#contract/endpoint.ts'
import type { changeNoticeSettings, NoticeSettings } from '#contract/notices/notice-settings.ts'
import type { Deps } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import {
  changeNotificationChannels,
  defaultChannels,
  notificationChannelsOf,
} from '#server/store/accounts/settings.ts'
import { consentOf, giveConsent, withdrawConsent } from '#server/store/notices/consents.ts'

export async function settingsOf(db: Db, userId: string): Promise<NoticeSettings> {
  const { push, mail } = (await notificationChannelsOf(db, userId)).get('notice') ?? defaultChannels
  const since = await consentOf(db, userId)
  return { push, mail, advertising: since !== null, advertising_since: since?.toISOString() ?? null }
}

export async function changeSettings(
  { clock, transaction }: Deps,
  userId: string,
  { push, mail, advertising }: BodyOf<typeof changeNoticeSettings>,
): Promise<void> {
  await transaction(async ({ tx }) => {
    if (push !== undefined || mail !== undefined)
      await changeNotificationChannels(tx, userId, 'notice', {
        ...(push !== undefined && { push }),
        ...(mail !== undefined && { mail }),
      })
    if (advertising === true) await giveConsent(tx, userId, clock())
    if (advertising === false) await withdrawConsent(tx, userId, clock())
  })
}
