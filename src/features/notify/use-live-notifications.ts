// useLiveNotifications: reads the open list of notifications again after live events.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { personChannel } from '#contract/realtime/channels.ts'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { createCallLimiter } from '#src/lib/call-limiter.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { listen } from '#src/domain/realtime/realtime.ts'
import { useMember } from '#src/domain/session/session.ts'
import { useUnread } from '#src/domain/mutations/unread.ts'

/** The list is read again at most this often, ms. */
const READ_EVERY = 2000

export function useLiveNotifications(): void {
  const client = useQueryClient()
  const me = useMember()?.id
  const unread = useUnread()
  const before = useRef(unread)
  useEffect(() => {
    // A higher count: the list lacks new notifications.
    if (unread > before.current) void client.invalidateQueries(queriesOf(listNotifications))
    before.current = unread
  }, [client, unread])
  useEffect(() => {
    if (me === undefined) return undefined
    const limiter = createCallLimiter(
      READ_EVERY,
      () => void client.invalidateQueries(queriesOf(listNotifications)),
    )
    const stops = [listen(personChannel(me), 'lines.changed', limiter.call), limiter.cancel]
    return () => stops.forEach((stop) => stop())
  }, [client, me])
}
