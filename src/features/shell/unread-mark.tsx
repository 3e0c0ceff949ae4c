// UnreadMark: the unread count on the navigation, the title and the icon.
import { useEffect, useRef } from 'react'
import { noticesPort } from '#src/domain/notifications/notices-port.ts'
import { notifyText } from '#src/domain/notifications/text.ts'
import { setTitleCount } from './title.ts'
import { useLiveMessages, useUnreadMessages } from '#src/domain/messages/unread-messages.ts'
import { useLiveUnread, useUnread } from '#src/domain/mutations/unread.ts'
import { Mark } from '#src/ui/badge.tsx'

export function UnreadMark() {
  const unread = useUnread()
  return <Mark count={unread} label={notifyText.unreadCount(unread)} />
}

export function UnreadMessagesMark() {
  const unread = useUnreadMessages()
  return <Mark count={unread} label={notifyText.unreadCount(unread)} />
}

/** Shows the count outside the page; rendered once. */
export function UnreadOutside({ me }: { me: string }) {
  useLiveUnread(me)
  useLiveMessages(me)
  const notifications = useUnread()
  const unread = notifications + useUnreadMessages()
  const before = useRef(Number.POSITIVE_INFINITY)
  useEffect(() => {
    // Notifications were read, here or on another device, so their desktop notices are closed.
    if (notifications < before.current) noticesPort.read([])
    before.current = notifications
  }, [notifications])
  useEffect(() => {
    setTitleCount(unread)
    // Rejects in browsers without an app icon.
    const marked = unread === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(unread)
    marked?.catch(() => undefined)
    return () => setTitleCount(0)
  }, [unread])
  return null
}
