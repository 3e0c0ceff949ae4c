// The query of notifications, and marking them as read optimistically.
import { type InfiniteData, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import {
  listNotifications,
  type NotificationView,
  readNotifications,
} from '#contract/notifications/notifications.ts'
import { getNotice } from '#contract/notices/notices.ts'
import { targetOf } from '#contract/notifications/targets.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { mutate } from '#src/domain/mutations/mutations.ts'
import { ApiFailure, call, isUnanswered } from '#src/domain/api/api.ts'
import { noticesPort } from '#src/domain/notifications/notices-port.ts'
import { changeData, pagesFor, queryFor, queriesOf } from '#src/domain/queries/query.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { notifyText } from '#src/domain/notifications/text.ts'
import { applyUnread, unreadQuery } from '#src/domain/notifications/unread.ts'
import { toast } from '#src/ui/overlays/toast.ts'

type Page = ReplyOf<typeof listNotifications>

/** The notifications, read at every display. */
export const notificationsQuery = { ...pagesFor(listNotifications, {}), staleTime: 0 }

export const noticeQuery = (id: string) =>
  queryOptions({ ...queryFor(getNotice, { params: { notice_id: id } }), staleTime: 5 * 60_000 })

/** The path that a notification of the list opens. */
export function pathInList(it: NotificationView): string | undefined {
  if (it.setting_cd === 'notice') return it.target_id === null ? undefined : `/notify/detail/${it.target_id}`
  if (it.setting_cd === 'identity') return '/user/verification'
  if (it.setting_cd === 'measure') return '/settings/reports?show=decisions'
  if (it.setting_cd.startsWith('hold')) return '/settings/reports?show=holds'
  if (it.setting_cd === 'report') return '/settings/reports'
  const path = targetOf(it)
  return path === '/notify' ? undefined : path
}

/** Marks notifications as read in the list, and closes their desktop notices. */
function showRead(client: QueryClient, is: (it: NotificationView) => boolean): void {
  const read = new Set<string>()
  changeData<InfiniteData<Page>>(client, queriesOf(listNotifications), (data) => ({
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      notifications: page.notifications.map((it) => {
        if (!is(it)) return it
        read.add(it.id)
        return { ...it, read: true }
      }),
    })),
  }))
  noticesPort.read([...read])
}

/** Queues a mark as a mutation, so that it waits for the network. */
const mark = (body: BodyOf<typeof readNotifications>) =>
  mutate({ name: 'readNotifications', params: {}, body }, '')

export function useMarkRead() {
  const client = useQueryClient()
  return {
    /** Sent while its target opens, which does not wait for it. */
    async one(it: NotificationView) {
      if (it.read) return
      showRead(client, ({ id }) => id === it.id)
      // A running read may or may not include the mark.
      void client.cancelQueries(unreadQuery)
      await mark({ ids: [it.id] })
    },
    /**
     * @param until `updated_at` of the latest displayed notification: later ones stay unread
     */
    async all(until: string) {
      try {
        const now = await call(readNotifications, { body: { until } })
        showRead(client, (it) => it.updated_at <= until)
        applyUnread(client, now)
        toast(notifyText.allRead, 'success')
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure
        if (isUnanswered(failure)) {
          showRead(client, (it) => it.updated_at <= until)
          return mark({ until })
        }
        toast(`${notifyText.notRead}${errorText[failure.code]}`, 'error')
      }
    },
  }
}
