// Home: polls for new posts when a live event arrives.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { personChannel } from '#contract/realtime/channels.ts'
import { countNewer } from '#contract/posts/feed.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { listen, onRecovered } from '#src/domain/realtime/realtime.ts'
import { useMember } from '#src/domain/session/session.ts'

export function useLiveFeed(): void {
  const client = useQueryClient()
  const me = useMember()?.id
  useEffect(() => {
    if (me === undefined) return undefined
    const refresh = () => void client.invalidateQueries(queriesOf(countNewer))
    const stops = [listen(personChannel(me), 'feed.newer', refresh), onRecovered(refresh)]
    return () => stops.forEach((stop) => stop())
  }, [client, me])
}
