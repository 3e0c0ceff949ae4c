// Joining a channel of several servers: the reply comes after the subscription of its topic.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { conversationChannel, personChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { topicOf } from './adapters/realtime/bus.ts'
import { openOwnRealtime } from './adapters/realtime/server.ts'
import { openRedis, type RedisClient } from './adapters/redis.ts'
import type { Topics } from './adapters/topics/topics.ts'
import type { TopicSubscriber } from './adapters/topics/subscriptions.ts'
import { openRawSocket, type RawSocket } from './testing/clients/raw-socket.ts'
import { openWorld, type World } from './testing/world.ts'

const app = { id: 'todoke', key: 'key', secret: 'a secret of both' }

let world: World
let topics: ReturnType<typeof fakeTopics>
let redis: RedisClient
const open: RawSocket[] = []

/** Topics that are confirmed when the test says so. */
function fakeTopics() {
  const calls: string[] = []
  const subscribers = new Map<string, TopicSubscriber>()
  const pending = new Map<string, PromiseWithResolvers<void>>()
  const port: Topics = {
    publish: (topic, _message, whenLost) => void calls.push(`publish ${topic} ${whenLost}`),
    subscribe(topic, subscriber) {
      calls.push(`subscribe ${topic}`)
      subscribers.set(topic, subscriber)
    },
    unsubscribe: (topic) => void calls.push(`unsubscribe ${topic}`),
    ready: (topic) => pending.get(topic)?.promise,
    onChange: () => undefined,
    close: () => undefined,
  }
  return {
    port,
    calls,
    of: (channel: string) => calls.filter((it) => it.endsWith(topicOf(channel))),
    subscribers,
    hold: (channel: string) => pending.set(topicOf(channel), Promise.withResolvers<void>()),
    confirm: (channel: string) => pending.get(topicOf(channel))?.resolve(),
  }
}

beforeAll(async () => {
  topics = fakeTopics()
  // Presence without a Redis is that of this server alone.
  redis = openRedis('redis://127.0.0.1:1')
  const shared = { redis, topics: topics.port }
  const realtime = openOwnRealtime({ app, clock: Date.now, shared, limits: { missedWithin: 0 } })
  world = await openWorld({ listen: true, parts: { clock: Date.now, realtime } })
})
afterEach(() => {
  for (const it of open.splice(0)) it.ws.close()
})
afterAll(async () => {
  await world.close()
  redis.disconnect()
})

async function connect(): Promise<RawSocket> {
  const it = await openRawSocket(world)
  if (typeof it === 'number') throw new Error(`refused with ${it}`)
  open.push(it)
  return it
}

const eventsOn = ({ frames }: RawSocket, channel: string) =>
  frames.filter((it) => it.channel === channel).map((it) => it.event)
const SUCCEEDED = 'pusher_internal:subscription_succeeded'

test('the reply to a join comes when Redis has confirmed the subscription', async () => {
  const [me, socket] = [newId(), await connect()]
  topics.hold(personChannel(me))
  socket.join(personChannel(me), me)
  await socket.read()
  expect([eventsOn(socket, personChannel(me)), topics.of(personChannel(me))]).toEqual([
    [],
    [`subscribe ${topicOf(personChannel(me))}`],
  ])
  topics.confirm(personChannel(me))
  await expect.poll(() => eventsOn(socket, personChannel(me))).toEqual([SUCCEEDED])
})

test('two connections on one channel are one subscription, which ends with the last of them', async () => {
  const [me, first, second] = [newId(), await connect(), await connect()]
  const channel = personChannel(me)
  for (const it of [first, second]) it.join(channel, me)
  await expect
    .poll(() => [first, second].map((it) => eventsOn(it, channel)))
    .toEqual([[SUCCEEDED], [SUCCEEDED]])
  first.send({ event: 'pusher:unsubscribe', data: { channel } })
  await first.read()
  expect(topics.of(channel)).toEqual([`subscribe ${topicOf(channel)}`])
  second.ws.close()
  await expect.poll(() => topics.of(channel).at(-1)).toBe(`unsubscribe ${topicOf(channel)}`)
})

test('a client that leaves and joins again before the confirmation gets one reply', async () => {
  const [me, socket] = [newId(), await connect()]
  const channel = personChannel(me)
  topics.hold(channel)
  socket.join(channel, me)
  socket.send({ event: 'pusher:unsubscribe', data: { channel } })
  socket.join(channel, me)
  await socket.read()
  topics.confirm(channel)
  await expect.poll(() => eventsOn(socket, channel)).toEqual([SUCCEEDED])
  await socket.read()
  expect(eventsOn(socket, channel)).toEqual([SUCCEEDED])
})

test('a member who leaves a presence channel before the confirmation has never been there', async () => {
  const [me, friend] = [newId(), newId()]
  const [mine, theirs] = [await connect(), await connect()]
  const channel = conversationChannel(newId())
  theirs.join(channel, friend)
  await expect.poll(() => eventsOn(theirs, channel)).toEqual([SUCCEEDED])
  topics.hold(channel)
  mine.join(channel, me)
  mine.send({ event: 'pusher:unsubscribe', data: { channel } })
  await mine.read()
  topics.confirm(channel)
  await mine.read()
  await theirs.read()
  expect([eventsOn(mine, channel), eventsOn(theirs, channel)]).toEqual([[], [SUCCEEDED]])
})

test('a gap of one channel closes its connections alone, and a message of another server reaches them', async () => {
  const [me, friend] = [newId(), newId()]
  const [mine, theirs] = [await connect(), await connect()]
  mine.join(personChannel(me), me)
  theirs.join(personChannel(friend), friend)
  await Promise.all([mine.read(), theirs.read()])
  const subscriber = topics.subscribers.get(topicOf(personChannel(me)))
  const frame = JSON.stringify({ event: 'feed.newer', channel: personChannel(me), data: '{}' })
  for (const except of ['', '1.1', mine.id]) subscriber?.received(Buffer.from(`${except} ${frame}`))
  subscriber?.received(Buffer.from('broken'))
  await mine.read()
  // The last one was caused by this connection.
  expect(eventsOn(mine, personChannel(me)).filter((it) => it === 'feed.newer')).toHaveLength(2)
  subscriber?.missed()
  expect((await mine.closed).code).toBe(4200)
  await theirs.read()
  expect(theirs.ws.readyState).toBe(theirs.ws.OPEN)
})

test('lost messages are announced, and lost endings are repeated', () => {
  topics.calls.length = 0
  const me = newId()
  const event = { channel: personChannel(me), event: 'notifications.changed', data: { unread: 1 } } as const
  world.deps.realtime.publish([event])
  world.deps.realtime.end([{ is: 'person', userId: me }])
  expect(topics.calls).toEqual([
    `publish ${topicOf(personChannel(me))} announce`,
    'publish todoke:servers repeat',
  ])
})
