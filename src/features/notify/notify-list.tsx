// NotifyList: a person's notifications, the latest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { NotificationView } from '#contract/notifications/notifications.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { text } from '#src/domain/text/text.ts'
import { notifyText as words } from '#src/domain/notifications/text.ts'
import { useUnread } from '#src/domain/mutations/unread.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { NotificationRow } from './notification-row.tsx'
import { NotifySkeleton } from './notify-skeleton.tsx'
import { notificationsQuery, useMarkRead } from './notifications.ts'
import { useLiveNotifications } from './use-live-notifications.ts'

interface NotifyListProps {
  /** Shown when it could not be read. */
  failed: (error: Error, retry: () => Promise<unknown>) => ReactNode
}

export function NotifyList({ failed }: NotifyListProps) {
  const pages = useInfiniteQuery(notificationsQuery)
  const read = useMarkRead()
  const notifications = pages.data?.pages.flatMap((page) => page.notifications) ?? []
  useLiveNotifications()
  return (
    <div className="pb-16">
      <Head latest={notifications[0]} onReadAll={read.all} />
      {pages.isPending && <NotifySkeleton />}
      {pages.isError && !pages.data && failed(pages.error, pages.refetch)}
      {pages.data && notifications.length === 0 && !pages.hasNextPage && <Empty />}
      <ul aria-label={words.title}>
        {notifications.map((notification) => (
          <NotificationRow
            key={notification.id}
            notification={notification}
            onRead={(it) => void read.one(it)}
          />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </div>
  )
}

interface HeadProps {
  latest: NotificationView | undefined
  onReadAll: (until: string) => Promise<void>
}

function Head({ latest, onReadAll }: HeadProps) {
  const unread = useUnread()
  const [busy, setBusy] = useState(false)
  async function press(until: string) {
    setBusy(true)
    await onReadAll(until).finally(() => setBusy(false))
  }
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-1 border-b border-line pr-2 pl-4 rail:pr-4 rail:pl-6">
      <h1 className="mr-auto text-lg font-semibold whitespace-nowrap">{words.title}</h1>
      {latest && unread > 0 && (
        <Button
          look="quiet"
          size="pill"
          busy={busy}
          busyLabel={text.working}
          onClick={() => void press(latest.updated_at)}
        >
          {words.readAll}
        </Button>
      )}
      <Link
        to="/settings/notification"
        aria-label={words.settings}
        title={words.settings}
        className="grid size-11 place-items-center rounded-pill text-soft hover:bg-sunk hover:text-ink"
      >
        <Settings aria-hidden size={22} />
      </Link>
    </div>
  )
}

function Empty() {
  return (
    <EmptyState
      drawing="letter"
      title={words.emptyTitle}
      text={words.emptyText}
      action={
        <Link to="/settings/notification" className={buttonClass('quiet')}>
          {words.settings}
        </Link>
      }
    />
  )
}
