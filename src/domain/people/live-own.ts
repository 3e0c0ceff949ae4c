// Live events of the signed-in person, and what is read again after them.
import type { QueryClient } from '@tanstack/react-query'
import { personChannel } from '#contract/realtime/channels.ts'
import { getOwnPictures } from '#contract/people/people.ts'
import { getPost } from '#contract/posts/posts.ts'
import type { SessionUser } from '#contract/accounts/session.ts'
import { removeAfterBlock, refetchAfterBlock, isRefetching } from './after-block.ts'
import { readAfter, readAfterEvents, readAgainByRules, readAll } from './read-again.ts'
import { createCallLimiter } from '#src/lib/call-limiter.ts'
import { queryFor, queriesOf } from '#src/domain/queries/query.ts'
import { listen, liveFor, onRecovered } from '#src/domain/realtime/realtime.ts'
import { viewer } from '#src/domain/session/session.ts'

/** Shortest time between reads after blocks, ms. */
const MIN_INTERVAL = 1000

/** Subscribes to the channel of the signed-in person. */
export function subscribeOwnChannel(client: QueryClient): void {
  let own: OwnChannel | undefined
  let before: SessionUser | undefined
  const onViewer = () => {
    const who = viewer.get()
    const now = who.is === 'authenticated' ? who.user : undefined
    const last = before
    before = now
    if (now?.id !== last?.id) {
      own?.stop()
      own = now && listenFor(client, now.id)
      return
    }
    // The blocklist changed while this device was not connected.
    if (now?.apart !== last?.apart && !isRefetching()) own?.readAgain()
  }
  liveFor(viewer)
  viewer.subscribe(onViewer)
  onViewer()
  readAgainByRules(client)
  onRecovered(() => void viewer.refreshNow())
}

interface OwnChannel {
  readonly readAgain: () => void
  readonly stop: () => void
}

function listenFor(client: QueryClient, id: string): OwnChannel {
  const reading = createCallLimiter(MIN_INTERVAL, () => void refetchAfterBlock(client))
  // Data that is not displayed is removed at once, since the next page may display it.
  const onPeopleChanged = () => {
    void removeAfterBlock(client)
    reading.call()
  }
  const channel = personChannel(id)
  const onMediaChanged = ({ post_id: post }: { post_id: string | null }) => {
    if (post === null) return readPictures(client)
    void client.invalidateQueries(queryFor(getPost, { params: { post_id: post } }))
  }
  const stops = [
    listen(channel, 'media.changed', onMediaChanged),
    listen(channel, 'people.changed', onPeopleChanged),
    // A paid or refunded post is open or closed in every list that has it.
    listen(channel, 'payment.changed', () => readAll(client)),
    listen(channel, 'membership.changed', ({ state }) => onMembershipChanged(client, state)),
    listen(channel, 'rights.changed', () => void viewer.refreshNow()),
    readAfterEvents(client, channel),
    reading.cancel,
  ]
  return { readAgain: onPeopleChanged, stop: () => stops.forEach((it) => it()) }
}

/** A membership that began, was taken up again or has ended opens or closes posts in every list. */
function onMembershipChanged(client: QueryClient, state: string): void {
  if (state === 'active' || state === 'ended') return readAll(client)
  readAfter(client, 'membership.changed')
}

const readPictures = (client: QueryClient): void => void client.invalidateQueries(queriesOf(getOwnPictures))
