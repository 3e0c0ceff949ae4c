// Endings of live connections and of channel authorizations, immediate and by the server.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { conversationChannel, personChannel, postChannel } from '#contract/realtime/channels.ts'
import { defined } from '#contract/testing/defined.ts'
import { closeCode, type Listener, openEcho, nextSubscription } from '#server/testing/clients/echo.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { call, identify, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
const open: Listener[] = []
beforeAll(async () => {
  world = await openWorld({ listen: true, parts: { clock: Date.now } })
})
afterEach(() => {
  for (const it of open.splice(0)) it.close()
})
afterAll(() => world.close())

async function connect(member: Pick<Member, 'id' | 'token'>, ...more: string[]): Promise<Listener> {
  const it = await openEcho(world, member)
  open.push(it)
  for (const channel of [personChannel(member.id), ...more]) expect(await it.join(channel)).toBe('joined')
  return it
}

/** The same member with a session on another device. */
async function secondDevice(member: Member): Promise<Member> {
  const reply = await call(world, null, 'POST', '/auth/sign-in', { email: member.email, password: PASSWORD })
  const { token } = reply.json<{ token: string }>()
  return { ...member, token, auth: { authorization: `Bearer ${token}` } }
}

const unread = (member: Member, count: number) =>
  ({ channel: personChannel(member.id), event: 'notifications.changed', data: { unread: count } }) as const

test('signing out closes the connection at once, and the other device of the member stays connected', async () => {
  const me = await signUp(world)
  const other = await secondDevice(me)
  const [signedOut, connected] = [await connect(me), await connect(other)]
  const code = closeCode(signedOut)
  await call(world, me, 'POST', '/auth/sign-out')
  expect((await code).code).toBe(4009)
  world.deps.realtime.publish([unread(me, 7)])
  await expect
    .poll(() => connected.received)
    .toEqual([[personChannel(me.id), 'notifications.changed', { unread: 7 }]])
  expect([signedOut.received, signedOut.pusher.connection.state]).toEqual([[], 'disconnected'])
})

test('ending a session from another device closes its connection', async () => {
  const me = await signUp(world)
  const otherDevice = await connect(await secondDevice(me))
  const code = closeCode(otherDevice)
  await call(world, me, 'DELETE', '/auth/sessions')
  expect((await code).code).toBe(4009)
})

test('a new password closes every other connection of the member', async () => {
  const me = await signUp(world)
  const [current, otherDevice] = [await connect(me), await connect(await secondDevice(me))]
  const code = closeCode(otherDevice)
  await call(world, me, 'POST', '/auth/validation', { password: PASSWORD })
  await call(world, me, 'PUT', '/auth/password', { password: 'todoke-5678' })
  expect((await code).code).toBe(4009)
  expect(current.pusher.connection.state).toBe('connected')
})

test('a grant issued before its session ended is refused afterwards', async () => {
  const me = await signUp(world)
  const it = await openEcho(world, me, {
    grant: (socketId, channel) => {
      const sessionId = 'ended-session'
      const grant = world.deps.realtime.grant({
        socketId,
        channel,
        sessionId,
        person: { id: me.id, name: 'x' },
        at: Date.now(),
      })
      world.deps.realtime.end([{ is: 'session', userId: me.id, sessionId }])
      return grant
    },
  })
  open.push(it)
  const code = closeCode(it)
  void it.join(personChannel(me.id))
  expect((await code).code).toBe(4009)
})

test('pricing a post ends its channel for a member who has not bought it', async () => {
  const [author, fan] = [await identify(world, await signUp(world)), await signUp(world)]
  const post = await publish(world, author)
  const refused = nextSubscription(await connect(fan, postChannel(post)), postChannel(post))
  await call(world, author, 'PATCH', `/posts/${post}`, { audience: { type: 3, price: 500 } })
  expect(await refused).toBe(403)
})

test('a blocked member loses the channels of the author’s posts and rejoins their own channel', async () => {
  const [author, fan] = [await signUp(world), await signUp(world)]
  const post = await publish(world, author)
  const listener = await connect(fan, postChannel(post))
  const refused = nextSubscription(listener, postChannel(post))
  const rejoined = nextSubscription(listener, personChannel(fan.id))
  await call(world, author, 'PUT', `/blocks/${fan.id}`)
  expect([await refused, await rejoined]).toEqual([403, 'joined'])
  world.deps.realtime.publish([
    { channel: postChannel(post), event: 'likes.changed', data: { post_id: post, likes: 1 } },
    unread(fan, 2),
  ])
  await expect
    .poll(() => listener.received)
    .toEqual([
      // Sent while still connected, so that the page reads again.
      [personChannel(fan.id), 'people.changed', {}],
      [personChannel(fan.id), 'notifications.changed', { unread: 2 }],
    ])
})

test('people of a conversation see each other type until one blocks the other', async () => {
  const [me, other] = [await signUp(world), await signUp(world)]
  const chat = chatIn(() => world)
  await chat.follow(other, me)
  await chat.write(me, other)
  const channel = conversationChannel(defined((await chat.stateOf(me, other)).conversation_id))
  const [mine, theirs] = [await connect(me, channel), await connect(other, channel)]
  const typed = new Promise((resolve) => theirs.pusher.channel(channel).bind('client-typing', resolve))
  mine.pusher.channel(channel).trigger('client-typing', {})
  await typed
  const refused = [mine, theirs].map((it) => nextSubscription(it, channel))
  await call(world, other, 'PUT', `/blocks/${me.id}`)
  expect(await Promise.all(refused)).toEqual([403, 403])
})
