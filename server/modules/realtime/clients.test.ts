// The live connection with the clients of section 7: Laravel Echo over pusher-js.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { conversationChannel, personChannel, postChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import type { Member } from '#server/testing/people/members.ts'
import { signUp } from '#server/testing/people/members.ts'
import { type EchoOptions, type Listener, openEcho } from '#server/testing/clients/echo.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
const open: Listener[] = []
beforeAll(async () => {
  world = await openWorld({ listen: true })
})
afterEach(() => {
  for (const it of open.splice(0)) it.close()
})
afterAll(() => world.close())

async function connect(member: Member, options?: EchoOptions): Promise<Listener> {
  const it = await openEcho(world, member, options)
  open.push(it)
  return it
}

const unread = (member: Member, count: number) =>
  ({ channel: personChannel(member.id), event: 'notifications.changed', data: { unread: count } }) as const

test('a member receives the messages of their own channel through Laravel Echo', async () => {
  const me = await signUp(world)
  const { echo } = await connect(me)
  const received = new Promise((resolve) => {
    echo
      .private(`person.${me.id}`)
      .subscribed(() => world.deps.realtime.publish([unread(me, 3)]))
      .listen('.notifications.changed', resolve)
  })
  expect(await received).toEqual({ unread: 3 })
})

test('a channel of another member, of an unknown post, or with an unknown name cannot be joined', async () => {
  const [me, other] = [await signUp(world), await signUp(world)]
  const listener = await connect(me)
  const names = [
    personChannel(other.id),
    postChannel(newId()),
    conversationChannel(newId()),
    'private-all',
    'news',
  ]
  const results = await Promise.all(names.map((it) => listener.join(it)))
  // A channel without a prefix needs no authorization; the server refuses all of these.
  expect(results).toEqual([403, 403, 403, 403, 401])
})

test('joining without a session is refused, and a grant is valid only for its connection', async () => {
  const me = await signUp(world)
  const visitor = await connect({ ...me, token: 'x'.repeat(43) })
  expect(await visitor.join(personChannel(me.id))).toBe(401)
  const stolen = world.deps.realtime.grant({
    socketId: '1.1',
    channel: personChannel(me.id),
    sessionId: newId(),
    person: { id: me.id, name: 'x' },
    at: Date.now(),
  })
  const other = await connect(me, { grant: () => stolen })
  expect(await other.join(personChannel(me.id))).toBe(401)
})

test('members of a presence channel see each other’s names, and each other join, type and leave', async () => {
  const [me, other] = [await signUp(world), await signUp(world)]
  const channel = conversationChannel(newId())
  const grantFor = (member: Member, name: string) => (socketId: string, on: string) =>
    world.deps.realtime.grant({
      socketId,
      channel: on,
      sessionId: `${member.id}-s`,
      person: { id: member.id, name },
      at: Date.now(),
    })
  const seen: unknown[] = []
  const first = await connect(me, { grant: grantFor(me, 'わたし') })
  const room = first.echo.join(channel.replace('presence-', ''))
  await new Promise<void>((resolve) => {
    room.here((people: unknown) => (seen.push(['here', people]), resolve()))
  })
  const typed = new Promise<void>((resolve) => {
    room
      .joining((it: unknown) => void seen.push(['joining', it]))
      .leaving((it: unknown) => void seen.push(['leaving', it]))
      .listenForWhisper('typing', (it: unknown) => (seen.push(['typing', it]), resolve()))
  })
  const second = await connect(other, { grant: grantFor(other, 'あなた') })
  const secondRoom = second.echo.join(channel.replace('presence-', ''))
  await new Promise<void>(
    (resolve) =>
      void secondRoom.here((people: { name: string }[]) => {
        seen.push(['second here', people.map((it) => it.name).toSorted()])
        resolve()
      }),
  )
  secondRoom.whisper('typing', {})
  await typed
  second.close()
  await expect.poll(() => seen.length).toBe(5)
  expect(seen).toEqual([
    ['here', [{ name: 'わたし' }]],
    expect.anything(),
    expect.anything(),
    ['typing', {}],
    ['leaving', { name: 'あなた' }],
  ])
  expect(seen).toContainEqual(['joining', { name: 'あなた' }])
  expect(seen).toContainEqual(['second here', ['あなた', 'わたし']])
})

test('a wrong key and an unsupported version get the codes of the protocol', async () => {
  const me = await signUp(world)
  const wrong = await connect(me, { key: 'wrong' })
  const code = new Promise((resolve) => {
    wrong.pusher.connection.bind('error', (it: { error?: { data?: { code?: number } } }) =>
      resolve(it.error?.data?.code),
    )
  })
  expect(await code).toBe(4001)
  const { key } = world.deps.realtime.address
  const socket = new WebSocket(`${world.origin.replace('http', 'ws')}/ws/app/${key}?protocol=3`)
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', (it) => resolve(it.code)))
  expect(await closed).toBe(4007)
})
