// UnreadMark: the unread count on the navigation, the title and the icon.
import { useEffect, useRef } from 'react'
import { noticesPort } from '#src/domain/notifications/notices-port.ts'
import { notifyText } from '#src/domain/notifications/text.ts'
import { setTitleCount } from './title.ts'
import { useLiveUnread, useUnread } from '#src/domain/notifications/unread.ts'
import { Mark } from '#src/ui/badge.tsx'

export function UnreadMark() {
  const unread = useUnread()
  return <Mark count={unread} label={notifyText.unreadCount(unread)} />
}

/** Shows the count outside the page; rendered once. */
export function UnreadOutside({ me }: { me: string }) {
  useLiveUnread(me)
  const unread = useUnread()
  const before = useRef(Number.POSITIVE_INFINITY)
  useEffect(() => {
    setTitleCount(unread)
    // Notifications were read, here or on another device, so their desktop notices are closed.
    if (unread < before.current) noticesPort.read([])
    before.current = unread
    // Rejects in browsers without an app icon.
    const marked = unread === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(unread)
    marked?.catch(() => undefined)
    return () => setTitleCount(0)
  }, [unread])
  return null
}
