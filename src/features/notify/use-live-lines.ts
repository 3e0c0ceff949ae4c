// The open list of notifications: lines that others change are read again while one looks.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { personChannel } from '#contract/realtime/channels.ts'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { createCallLimiter } from '#src/lib/call-limiter.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { listen, onRecovered } from '#src/domain/realtime/realtime.ts'
import { useMember } from '#src/domain/session/session.ts'
import { useUnread } from '#src/domain/notifications/unread.ts'

/** Hearts of a lively post are shown at most this often, ms. */
const READ_EVERY = 2000

export function useLiveLines(): void {
  const client = useQueryClient()
  const me = useMember()?.id
  const unread = useUnread()
  const before = useRef(unread)
  useEffect(() => {
    // More than a moment ago: there are lines that the list does not show yet.
    if (unread > before.current) void client.invalidateQueries(queriesOf(listNotifications))
    before.current = unread
  }, [client, unread])
  useEffect(() => {
    if (me === undefined) return undefined
    const lines = createCallLimiter(
      READ_EVERY,
      () => void client.invalidateQueries(queriesOf(listNotifications)),
    )
    const stops = [
      listen(personChannel(me), 'lines.changed', lines.call),
      onRecovered(lines.call),
      lines.cancel,
    ]
    return () => stops.forEach((stop) => stop())
  }, [client, me])
}
