// What is said to the person themselves on every page: their media, as the server makes them, and whom they see.
import type { QueryClient } from '@tanstack/react-query'
import { personChannel } from '#contract/realtime/channels.ts'
import { getOwnPictures } from '#contract/people/people.ts'
import { getPost } from '#contract/posts/posts.ts'
import type { SessionUser } from '#contract/accounts/session.ts'
import { forgetAfterBlock, readAgain, readsAgain } from './after-block.ts'
import { createThrottle } from '#src/lib/throttle.ts'
import { queryFor, readingsOf } from '#src/domain/queries/query.ts'
import { listen, liveFor, onRecovered } from '#src/domain/realtime/realtime.ts'
import { viewer } from '#src/domain/session/session.ts'

/** Longest rate of such reads, ms, for a person who blocks many people or repeatedly. */
const READ_EVERY = 1000

/** Subscribes to the channel of the signed-in person. */
export function followOwn(client: QueryClient): void {
  let own: Own | undefined
  let before: SessionUser | undefined
  const follow = () => {
    const who = viewer.get()
    const now = who.is === 'authenticated' ? who.user : undefined
    const last = before
    before = now
    if (now?.id !== last?.id) {
      own?.stop()
      own = now && listenFor(client, now.id)
      return
    }
    // A person was blocked or muted while this device was not connected.
    if (now?.apart !== last?.apart && !readsAgain()) own?.readAgain()
  }
  liveFor(viewer)
  viewer.subscribe(follow)
  follow()
  onRecovered(() => {
    readPictures(client)
    void viewer.refreshNow()
  })
}

interface Own {
  readonly readAgain: () => void
  readonly stop: () => void
}

function listenFor(client: QueryClient, id: string): Own {
  const reading = createThrottle(READ_EVERY, () => void readAgain(client))
  // What is not shown goes at once: a step to it may be the next thing.
  const people = () => {
    void forgetAfterBlock(client)
    reading.want()
  }
  const channel = personChannel(id)
  const media = ({ post_id: post }: { post_id: string | null }) => {
    if (post === null) return readPictures(client)
    void client.invalidateQueries(queryFor(getPost, { params: { post_id: post } }))
  }
  const stops = [
    listen(channel, 'media.changed', media),
    listen(channel, 'people.changed', people),
    reading.stop,
  ]
  return { readAgain: people, stop: () => stops.forEach((it) => it()) }
}

const readPictures = (client: QueryClient): void => void client.invalidateQueries(readingsOf(getOwnPictures))
