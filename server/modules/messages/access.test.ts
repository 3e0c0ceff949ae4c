// Who reaches a conversation of two people, over HTTP and by the live connection.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { conversationChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { chatIn, outcomeOf } from '#server/testing/messages/chat.ts'
import { admin } from '#server/testing/people/identity.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { call, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const SECRET = 'ひみつのメッセージ'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
const chat = chatIn(() => world)

/** A conversation of two people in which both have written, and a person who tries to reach it. */
interface Setup {
  readonly one: Member
  readonly two: Member
  /** Who tries; one of the two, or another person. */
  readonly as: Member | null
  readonly conversation: string
  readonly message: string
}

const join = (as: Member | null, conversation: string): Promise<Reply> =>
  call(
    world,
    as,
    'POST',
    '/broadcasting/auth',
    new URLSearchParams({ socket_id: '1.2', channel_name: conversationChannel(conversation) }).toString(),
    { 'content-type': 'application/x-www-form-urlencoded' },
  )

/** What a reply is: it shows the conversation, has nothing of it, or is a refusal. */
type Outcome = 'shown' | 'empty' | 'refused'

interface Attempt {
  readonly send: (it: Setup) => Promise<Reply>
  /** The reply to one of the two. */
  readonly toMember: Outcome
  /** Whether it reads the caller's own, empty lists or state. */
  readonly reads?: 'lists' | 'state'
}

/** Every way to reach the conversation or one of its messages. */
const attempts: Record<string, Attempt> = {
  list: { send: ({ as }) => call(world, as, 'GET', '/conversations'), toMember: 'shown', reads: 'lists' },
  requests: {
    send: ({ as }) => call(world, as, 'GET', '/conversations?list=requests'),
    toMember: 'empty',
    reads: 'lists',
  },
  archived: {
    send: ({ as }) => call(world, as, 'GET', '/conversations?list=archived'),
    toMember: 'empty',
    reads: 'lists',
  },
  state: {
    send: ({ as, two }) => call(world, as, 'GET', `/conversations/${two.id}`),
    toMember: 'shown',
    reads: 'state',
  },
  messages: {
    send: ({ as, two }) => call(world, as, 'GET', `/conversations/${two.id}/messages`),
    toMember: 'shown',
    reads: 'state',
  },
  changes: {
    send: ({ as, two }) => call(world, as, 'GET', `/conversations/${two.id}/changes?after=0`),
    toMember: 'shown',
    reads: 'state',
  },
  around: {
    send: ({ as, two }) => call(world, as, 'GET', `/conversations/${two.id}/messages?around=1`),
    toMember: 'shown',
    reads: 'state',
  },
  search: {
    send: ({ as }) => call(world, as, 'GET', `/messages/search?q=${encodeURIComponent(SECRET)}`),
    toMember: 'shown',
    reads: 'lists',
  },
  'search in the conversation': {
    send: ({ as, two }) =>
      call(world, as, 'GET', `/messages/search?q=${encodeURIComponent(SECRET)}&user_id=${two.id}`),
    toMember: 'shown',
    reads: 'lists',
  },
  unread: {
    send: ({ as }) => call(world, as, 'GET', '/conversations/unread'),
    toMember: 'empty',
    reads: 'lists',
  },
  presence: {
    send: ({ as, two }) => call(world, as, 'GET', `/conversations/${two.id}/presence`),
    toMember: 'empty',
    reads: 'state',
  },
  receive: {
    send: ({ as, two }) => call(world, as, 'PUT', `/conversations/${two.id}/delivered`, { seq: 1 }),
    toMember: 'shown',
  },
  pin: {
    send: ({ as, two }) => call(world, as, 'PATCH', `/conversations/${two.id}`, { pinned: true }),
    toMember: 'shown',
  },
  clear: { send: ({ as, two }) => call(world, as, 'DELETE', `/conversations/${two.id}`), toMember: 'shown' },
  accept: {
    send: ({ as, two }) => call(world, as, 'POST', `/conversations/${two.id}/accept`),
    toMember: 'shown',
  },
  // The conversation is accepted.
  decline: {
    send: ({ as, two }) => call(world, as, 'POST', `/conversations/${two.id}/decline`),
    toMember: 'refused',
  },
  react: { send: ({ as, message }) => chat.react(as, message), toMember: 'shown' },
  unreact: { send: ({ as, message }) => chat.unreact(as, message), toMember: 'shown' },
  // The message is of the other person.
  unsend: { send: ({ as, message }) => chat.unsend(as, message), toMember: 'refused' },
  hide: { send: ({ as, message }) => chat.hide(as, message), toMember: 'shown' },
  reply: { send: ({ as, two, message }) => chat.send(as, two, { reply_to: message }), toMember: 'shown' },
  read: {
    send: ({ as, two }) => call(world, as, 'PUT', `/conversations/${two.id}/read`, { seq: 1 }),
    toMember: 'shown',
  },
  join: { send: ({ as, conversation }) => join(as, conversation), toMember: 'empty' },
}

type Reach = 'all' | 'own' | 'lists' | 'nothing'

/**
 * Who tries, and what they reach. `all`: what one of the two reaches. `own`: their own empty lists, and their own empty
 * conversation with one of the two. `lists`: their own empty lists.
 */
const table: Record<string, readonly [who: (it: Setup) => Promise<Member | null>, reach: Reach]> = {
  'one of the two': [async ({ one }) => one, 'all'],
  'a visitor': [async () => null, 'nothing'],
  'another member': [() => signUp(world), 'own'],
  'a member whom both follow': [
    async ({ one, two }) => {
      const it = await signUp(world)
      for (const whom of [one, two]) await chat.follow(whom, it)
      return it
    },
    'own',
  ],
  'an admin': [() => admin(world), 'own'],
  'one who has blocked the other': [
    async ({ one, two }) => {
      await call(world, one, 'PUT', `/blocks/${two.id}`)
      return one
    },
    'lists',
  ],
  'one whom the other has blocked': [
    async ({ one, two }) => {
      await call(world, two, 'PUT', `/blocks/${one.id}`)
      return one
    },
    'lists',
  ],
  'one who is suspended': [
    async ({ one }) => {
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [one.id])
      return one
    },
    'nothing',
  ],
  'one who is leaving': [
    async ({ one }) => {
      await leave(world, one)
      return one
    },
    'nothing',
  ],
}

async function openSetup(): Promise<Setup> {
  const [one, two] = [await signUp(world), await signUp(world)]
  await chat.write(one, two, SECRET)
  const { id } = await chat.write(two, one, SECRET)
  const { conversation_id: conversation } = await chat.stateOf(one, two)
  return { one, two, as: null, conversation: conversation ?? '', message: id }
}

const outcomeFor = (reach: Reach, { toMember, reads }: Attempt): Outcome => {
  if (reach === 'all') return toMember
  const isOwn = reads === 'lists' ? reach !== 'nothing' : reads === 'state' && reach === 'own'
  return isOwn ? 'empty' : 'refused'
}

/** Everything that is stored about the messages of a conversation. */
const storedOf = async (conversation: string): Promise<string> => {
  const { rows } = await world.database.executeSql(
    `select m.*, (select count(*) from message_reactions r where r.message_id = m.id) as reactions,
       (select count(*) from hidden_messages h where h.message_id = m.id) as hidden
     from messages m where conversation_id = $1 order by seq`,
    [conversation],
  )
  return JSON.stringify(rows)
}

describe.each(Object.entries(table))('%s', (_, [who, reach]) => {
  test.each(Object.entries(attempts))('%s', async (_name, attempt) => {
    const setup = await openSetup()
    const as = await who(setup)
    const before = await storedOf(setup.conversation)
    const reply = await attempt.send({ ...setup, as })
    const isShown = [SECRET, setup.message, setup.conversation].some((it) => reply.body.includes(it))
    const outcome: Outcome = reply.statusCode !== 200 ? 'refused' : isShown ? 'shown' : 'empty'
    expect(outcome).toBe(outcomeFor(reach, attempt))
    if (outcome === 'refused') expect(isShown).toBe(false)
    if (reach !== 'all') expect(await storedOf(setup.conversation)).toBe(before)
  })
})

test('a message of others and one that does not exist have the same reply', async () => {
  const { message } = await openSetup()
  const outsider = await signUp(world)
  for (const name of ['react', 'unreact', 'unsend', 'hide'] as const)
    expect((await chat[name](outsider, message)).body).toBe((await chat[name](outsider, newId())).body)
})

describe('the channel of a conversation', () => {
  test('is joined by both once a request is accepted, and by neither before', async () => {
    const [me, stranger] = [await signUp(world), await signUp(world)]
    await chat.write(stranger, me)
    const id = defined((await chat.stateOf(me, stranger)).conversation_id)
    const outcomes = async () => [outcomeOf(await join(me, id)), outcomeOf(await join(stranger, id))]
    expect(await outcomes()).toEqual(['forbidden', 'forbidden'])
    await chat.answer(me, stranger, 'accept')
    expect(await outcomes()).toEqual([200, 200])
    await chat.clear(me, stranger)
    expect(await outcomes()).toEqual([200, 200])
    await chat.setPrivacy(me, { sends_read_marks: false })
    expect(await outcomes()).toEqual(['forbidden', 'forbidden'])
  })
})

test('what a deleted person wrote stays for the other one, without name; requests and choices go', async () => {
  const { one, two, message } = await openSetup()
  const third = await signUp(world)
  await chat.write(one, third)
  await chat.react(one, message)
  await leave(world, one)
  world.clock.now += LEAVING_MS
  await deleteDue(world)
  const { messages } = await chat.messagesOf(two, one)
  expect(messages.map((it) => it.body)).toMatchObject([
    { content: SECRET },
    { content: SECRET, reactions: [] },
  ])
  const [listed] = (await chat.listOf(two)).conversations
  expect(listed?.person).toEqual({ id: one.id, name: '退会したユーザー', handle: null, avatar_url: null })
  expect(await chat.stateOf(third, one)).toMatchObject({ conversation_id: null })
  await leave(world, two)
  world.clock.now += LEAVING_MS
  await deleteDue(world)
  const { rows } = await world.database.executeSql('select id from messages where sender_id = any($1)', [
    [one.id, two.id],
  ])
  expect(rows).toEqual([])
})
