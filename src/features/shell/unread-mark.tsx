// UnreadMark: how many notifications are unread, on the tab, in the window's title and on the app's icon.
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

/** Once for the whole app, however many marks are shown. */
export function UnreadOutside({ me }: { me: string }) {
  useLiveUnread(me)
  const unread = useUnread()
  const before = useRef(Number.POSITIVE_INFINITY)
  useEffect(() => {
    setTitleCount(unread)
    // Read here or on another device: the desktop shows those lines no longer.
    if (unread < before.current) noticesPort.read([])
    before.current = unread
    // A browser that has no icon to mark says no; nothing is lost.
    const marked = unread === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(unread)
    marked?.catch(() => undefined)
    return () => setTitleCount(0)
  }, [unread])
  return null
}
