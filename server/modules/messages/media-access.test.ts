// Who reads the files of a message: every person, with every file.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import type { MessageView } from '#contract/messages/messages.ts'
import { signedAddresses } from '#server/services/media/addresses.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { filesOfSent, type SentKind, sentMediaIn } from '#server/testing/messages/media.ts'
import { admin } from '#server/testing/people/identity.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

let world: World
const chat = chatIn(() => world)
const sent = sentMediaIn(() => world)

/** A message with an image and a video. */
interface Sent {
  readonly sender: Member
  readonly recipient: Member
  readonly message: MessageView
  readonly media: Record<SentKind, string>
}

/** `sender`: every file. `shown`: every file but the originals. `nothing`: all are not found. */
type Reach = 'sender' | 'shown' | 'nothing'

interface Row {
  /** Whether the message is the first one of a message request. */
  readonly request?: true
  /** What happens after the message was sent. @returns who reads */
  readonly who: (it: Sent) => Promise<Member | null>
  readonly reach: Reach
}

const suspend = (it: Member) =>
  world.database.executeSql('update users set suspended_at = now() where id = $1', [it.id])
const block = (as: Member, whom: Member) => call(world, as, 'PUT', `/blocks/${whom.id}`)
async function erase(it: Member): Promise<void> {
  await leave(world, it)
  world.clock.now += LEAVING_MS
  await deleteDue(world)
}
/** Does something, after which this person reads. */
const after = (act: (it: Sent) => Promise<unknown>, as: (it: Sent) => Member | null) => async (it: Sent) => {
  await act(it)
  return as(it)
}
const nothingHappens = async () => undefined
const sender = (it: Sent) => it.sender
const recipient = (it: Sent) => it.recipient

const table: Record<string, Row> = {
  'the sender': { who: after(nothingHappens, sender), reach: 'sender' },
  'the recipient': { who: after(nothingHappens, recipient), reach: 'shown' },
  'a visitor': { who: async () => null, reach: 'nothing' },
  'another member': { who: () => signUp(world), reach: 'nothing' },
  'a member whom both follow': {
    who: async (it) => {
      const third = await signUp(world)
      for (const one of [it.sender, it.recipient]) await chat.follow(one, third)
      return third
    },
    reach: 'nothing',
  },
  'an admin': { who: () => admin(world), reach: 'nothing' },
  'the sender who has blocked': {
    who: after((it) => block(it.sender, it.recipient), sender),
    reach: 'nothing',
  },
  'the sender who is blocked': {
    who: after((it) => block(it.recipient, it.sender), sender),
    reach: 'nothing',
  },
  'the recipient who has blocked': {
    who: after((it) => block(it.recipient, it.sender), recipient),
    reach: 'nothing',
  },
  'the recipient who is blocked': {
    who: after((it) => block(it.sender, it.recipient), recipient),
    reach: 'nothing',
  },
  'the sender of a request': { request: true, who: after(nothingHappens, sender), reach: 'sender' },
  'the recipient of a request': { request: true, who: after(nothingHappens, recipient), reach: 'nothing' },
  'the sender of a declined request': {
    request: true,
    who: after((it) => chat.answer(it.recipient, it.sender, 'decline'), sender),
    reach: 'sender',
  },
  'the recipient who declined': {
    request: true,
    who: after((it) => chat.answer(it.recipient, it.sender, 'decline'), recipient),
    reach: 'nothing',
  },
  'the recipient who accepted': {
    request: true,
    who: after((it) => chat.answer(it.recipient, it.sender, 'accept'), recipient),
    reach: 'shown',
  },
  'the recipient who answered': {
    request: true,
    who: after((it) => chat.write(it.recipient, it.sender), recipient),
    reach: 'shown',
  },
  'the recipient who declined and accepted': {
    request: true,
    who: after(async (it) => {
      await chat.answer(it.recipient, it.sender, 'decline')
      await chat.answer(it.recipient, it.sender, 'accept')
    }, recipient),
    reach: 'shown',
  },
  'the sender who is suspended': { who: after((it) => suspend(it.sender), sender), reach: 'nothing' },
  'the recipient who is suspended': {
    who: after((it) => suspend(it.recipient), recipient),
    reach: 'nothing',
  },
  'the recipient of a suspended sender': {
    who: after((it) => suspend(it.sender), recipient),
    reach: 'shown',
  },
  'the sender who is leaving': { who: after((it) => leave(world, it.sender), sender), reach: 'nothing' },
  'the recipient who is leaving': {
    who: after((it) => leave(world, it.recipient), recipient),
    reach: 'nothing',
  },
  'the recipient of a leaving sender': {
    who: after((it) => leave(world, it.sender), recipient),
    reach: 'shown',
  },
  'the sender who was deleted': { who: after((it) => erase(it.sender), sender), reach: 'nothing' },
  'the recipient of a deleted sender': {
    who: after((it) => erase(it.sender), recipient),
    reach: 'nothing',
  },
  'the sender to a deleted recipient': { who: after((it) => erase(it.recipient), sender), reach: 'sender' },
  'the sender who took it back': {
    who: after((it) => chat.unsend(it.sender, it.message.id), sender),
    reach: 'nothing',
  },
  'the recipient of an unsent message': {
    who: after((it) => chat.unsend(it.sender, it.message.id), recipient),
    reach: 'nothing',
  },
  'the sender who has hidden it': {
    who: after((it) => chat.hide(it.sender, it.message.id), sender),
    reach: 'nothing',
  },
  'the recipient who has hidden it': {
    who: after((it) => chat.hide(it.recipient, it.message.id), recipient),
    reach: 'nothing',
  },
  'the sender of a message that the other has hidden': {
    who: after((it) => chat.hide(it.recipient, it.message.id), sender),
    reach: 'sender',
  },
  'the recipient of a message that its sender has hidden': {
    who: after((it) => chat.hide(it.sender, it.message.id), recipient),
    reach: 'shown',
  },
  'the sender who has cleared': {
    who: after((it) => chat.clear(it.sender, it.recipient), sender),
    reach: 'nothing',
  },
  'the recipient who has cleared': {
    who: after((it) => chat.clear(it.recipient, it.sender), recipient),
    reach: 'nothing',
  },
  'the recipient whose other one has cleared': {
    who: after((it) => chat.clear(it.sender, it.recipient), recipient),
    reach: 'shown',
  },
}

async function sendBoth({ request }: Row): Promise<Sent> {
  const [one, two] = [await signUp(world), await signUp(world)]
  if (!request) {
    await chat.follow(two, one)
    await chat.write(one, two)
    await chat.write(two, one)
  }
  const media = { image: await sent.picture(one), video: await sent.video(one) }
  const message = await chat.write(one, two, '', { media: [media.image, media.video] })
  for (const kind of ['image', 'video'] as const) await sent.setMade(media[kind], kind)
  return { sender: one, recipient: two, message, media }
}

/** The status of a file, by an address that is signed for one person, or by a bare one. */
async function statusFor(id: string, file: string, as: Member | null, signedFor: Member | null | 'nobody') {
  const forWhom = signedFor === 'nobody' ? null : signedFor
  const address = signedAddresses(world.deps.secrets, forWhom?.id ?? null, world.clock.now)(id, file)
  const url = signedFor === 'nobody' ? (address.split('?')[0] ?? '') : address
  return (await world.app.inject({ method: 'GET', url, headers: { ...as?.auth } })).statusCode
}

const everyFile = (it: Sent) =>
  (['image', 'video'] as const).flatMap((kind) =>
    filesOfSent[kind].map((file) => ({ id: it.media[kind], kind, file })),
  )

const allows = (reach: Reach, file: string) =>
  reach === 'sender' || (reach === 'shown' && file !== 'original')

describe.each(databases)('on $kind', ({ kind, available }) => {
  beforeAll(async () => {
    if (available) world = await openWorld({ database: kind })
  })
  afterAll(() => (available ? world.close() : undefined))

  describe.skipIf(!available).each(Object.entries(table))('%s', (name, row) => {
    test('reads exactly the allowed files, by addresses signed for this person alone', async () => {
      const it = await sendBoth(row)
      const viewer = await row.who(it)
      const refused = row.reach === 'nothing' ? 404 : 403
      const others = [it.sender, it.recipient].filter((other) => other.id !== viewer?.id)
      for (const { id, kind: of, file } of everyFile(it)) {
        const own = await statusFor(id, file, viewer, viewer)
        expect([name, of, file, own]).toEqual([name, of, file, allows(row.reach, file) ? 200 : refused])
        for (const other of [...others, null, 'nobody'] as const) {
          if (other === viewer) continue
          const status = await statusFor(id, file, viewer, other)
          expect([name, of, file, status]).toEqual([name, of, file, refused])
        }
      }
    })
  })

  describe.skipIf(!available)('the replies', () => {
    const lists = (as: Member, to: Member) =>
      [
        '/conversations',
        '/conversations?list=requests',
        `/conversations/${to.id}/messages`,
        `/conversations/${to.id}/changes?after=0`,
      ].map((it) => call(world, as, 'GET', it))

    test('to the recipient of a request have the number of files and nothing else of them', async () => {
      const it = await sendBoth({ request: true, who: async () => null, reach: 'nothing' })
      const bodies = (await Promise.all(lists(it.recipient, it.sender))).map((reply) => reply.body)
      for (const id of Object.values(it.media)) expect(bodies.filter((body) => body.includes(id))).toEqual([])
      expect(bodies.map((body) => body.includes('"media":[],"hidden_media":2'))).toEqual([
        false,
        true,
        true,
        true,
      ])
    })

    test('name the files of an unsent message nowhere', async () => {
      const it = await sendBoth({ who: async () => null, reach: 'nothing' })
      await chat.unsend(it.sender, it.message.id)
      for (const [as, to] of [
        [it.sender, it.recipient],
        [it.recipient, it.sender],
      ] as const)
        for (const { body } of await Promise.all(lists(as, to)))
          for (const id of Object.values(it.media)) expect(body).not.toContain(id)
    })
  })

  test.skipIf(!available)('caches revalidate every file, and send none to another person', async () => {
    const it = await sendBoth({ who: async () => null, reach: 'nothing' })
    for (const { id, file } of everyFile(it)) {
      const url = signedAddresses(world.deps.secrets, it.sender.id, world.clock.now)(id, file)
      const { headers } = await world.app.inject({ method: 'GET', url, headers: it.sender.auth })
      expect([file, headers['cache-control']]).toEqual([file, 'private, no-cache'])
      expect(String(headers['vary'])).toContain('Authorization, Cookie')
    }
  })
})
