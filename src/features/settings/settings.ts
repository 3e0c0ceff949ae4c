// Queries of settings, and optimistic changes of one setting.
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { listFeed } from '#contract/posts/feed.ts'
import { listMutes } from '#contract/people/mutes.ts'
import { getPost, listPosts } from '#contract/posts/posts.ts'
import {
  changeNotificationSetting,
  changePrivacySettings,
  getNotificationSettings,
  getOwnInfo,
  getPrivacySettings,
  listBlocks,
  type PrivacySettings,
  type NotificationChannel,
} from '#contract/accounts/settings.ts'
import type { SettingCd } from '#contract/notifications/setting-codes.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { pagesFor, queryFor, queriesOf } from '#src/domain/queries/query.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { settingsText } from './text.ts'
import { toast } from '#src/ui/overlays/toast.ts'

export const notificationQuery = queryFor(getNotificationSettings, {})
export const privacyQuery = queryFor(getPrivacySettings, {})
export const ownInfoQuery = queryFor(getOwnInfo, {})
export const blocksQuery = pagesFor(listBlocks, {})
export const mutesQuery = pagesFor(listMutes, {})

/** The last change. Changes run one after the other, so that the last press wins. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const current = last.then(work)
  last = current.catch(() => undefined)
  return current
}

/** Shows why a change was not stored. */
export function showFailure(failure: unknown): void {
  if (!(failure instanceof ApiFailure)) throw failure
  toast(`${settingsText.notChanged}${errorText[failure.code]}`, 'error')
}

export function setChannel(
  client: QueryClient,
  code: SettingCd,
  channel: NotificationChannel,
  on: boolean,
): void {
  client.setQueryData(
    notificationQuery.queryKey,
    (old) =>
      old && {
        settings: old.settings.map((it) => (it.setting_cd === code ? { ...it, [channel]: on } : it)),
      },
  )
}

const channelNow = (client: QueryClient, code: SettingCd, channel: NotificationChannel) =>
  client.getQueryData(notificationQuery.queryKey)?.settings.find((it) => it.setting_cd === code)?.[channel]

/** Changes a channel of one kind of notification. */
export function useChangeChannel() {
  const client = useQueryClient()
  return async (code: SettingCd, channel: NotificationChannel, on: boolean) => {
    await client.cancelQueries(notificationQuery)
    setChannel(client, code, channel, on)
    try {
      const args = { params: { setting_cd: code }, body: { [channel]: on } }
      await inTurn(() => call(changeNotificationSetting, args))
    } catch (failure) {
      // A later press has priority.
      if (channelNow(client, code, channel) === on) setChannel(client, code, channel, !on)
      showFailure(failure)
    }
  }
}

/** Reads posts again, since a setting changes them. */
export async function refetchPosts(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries(queriesOf(listFeed)),
    client.invalidateQueries(queriesOf(listPosts)),
    client.invalidateQueries(queriesOf(getPost)),
  ])
}

/** Settings that change no post. */
const ofMessages: ReadonlySet<keyof PrivacySettings> = new Set([
  'message_from',
  'sends_read_marks',
  'shows_message_text',
  'shows_presence',
])

/** Changes one setting of privacy. */
export function useChangePrivacy() {
  const client = useQueryClient()
  return async <K extends keyof PrivacySettings>(name: K, value: PrivacySettings[K]) => {
    await client.cancelQueries(privacyQuery)
    const before = client.getQueryData(privacyQuery.queryKey)
    const put = (it: PrivacySettings[K]) =>
      client.setQueryData(privacyQuery.queryKey, (old) => old && { ...old, [name]: it })
    put(value)
    try {
      await inTurn(() => call(changePrivacySettings, { body: { [name]: value } }))
      // The addresses of the member's own pictures change with the choice about share cards.
      if (!ofMessages.has(name)) await refetchPosts(client)
    } catch (failure) {
      if (before && client.getQueryData(privacyQuery.queryKey)?.[name] === value) put(before[name])
      showFailure(failure)
    }
  }
}
