// NotificationRow: one notification of the list; a press marks it read and opens it.
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { notificationText } from '#contract/notifications/notification-text.ts'
import type { NotificationView } from '#contract/notifications/notifications.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { notifyText as words } from '#src/domain/notifications/text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { cx } from '#src/ui/cx.ts'
import { When } from '#src/ui/text/when.tsx'
import { KindMark, Sign } from './kind-mark.tsx'
import { pathInList } from './notifications.ts'

interface RowProps {
  notification: NotificationView
  onRead: (notification: NotificationView) => void
}

export function NotificationRow({ notification, onRead }: RowProps) {
  const [first] = notification.people
  const { title, who, body } = notificationText(notification, {
    name: first?.name ?? null,
    others: notification.others,
    excerpt: notification.excerpt,
  })
  const at = Date.parse(notification.updated_at)
  return (
    <li
      className={cx(
        'relative flex gap-4 border-b border-line px-4 py-3.5 hover:bg-sunk rail:px-6',
        !notification.read && 'bg-raised',
      )}
    >
      <Actors notification={notification} />
      <div className="min-w-0 flex-1">
        <Target notification={notification} onRead={onRead}>
          <span className="font-semibold">{who}</span>
          {title.slice(who.length)}
        </Target>
        {body !== '' && (
          <p dir="auto" className="mt-0.5 line-clamp-2 text-sm break-words text-soft">
            {body}
          </p>
        )}
        {notification.post_deleted && <p className="mt-0.5 text-sm text-soft">{words.postDeleted}</p>}
        <p className="mt-0.5 text-sm text-soft">
          <When at={notification.updated_at} format={(_, now) => relative(at, now)} whole={dateTime(at)} />
        </p>
      </div>
      <span className="flex w-3 justify-end pt-2">
        {!notification.read && (
          <span className="marked-part size-2 rounded-pill bg-seal-fill">
            <span className="sr-only">{words.unread}</span>
          </span>
        )}
      </span>
    </li>
  )
}

/** Avatars of the actors; for the service, its sign. */
function Actors({ notification }: { notification: NotificationView }) {
  const [first] = notification.people
  if (first)
    return (
      <span className="relative h-10 shrink-0">
        <Avatar name={first.name} src={first.avatar_url} />
        <KindMark code={notification.setting_cd} />
      </span>
    )
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-pill bg-sunk text-ink">
      <Sign code={notification.setting_cd} size={20} />
    </span>
  )
}

/** A link or button over the whole notification; one without a target is only marked as read. */
function Target({ notification, onRead, children }: RowProps & { children: ReactNode }) {
  const router = useRouter()
  const path = pathInList(notification)
  const look = 'block text-left break-words [word-break:auto-phrase] after:absolute after:inset-0'
  if (path === undefined)
    return (
      <button type="button" className={look} onClick={() => onRead(notification)}>
        {children}
      </button>
    )
  const press = (event: MouseEvent) => {
    onRead(notification)
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    void router.navigate({ href: path })
  }
  return (
    <a href={path} className={look} onClick={press}>
      {children}
    </a>
  )
}
