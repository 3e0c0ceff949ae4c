// Presence: who sees when another person was last there, and what is stored.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { personChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { SEEN_STEP_MS } from '#server/store/accounts/settings.ts'
import { type Listener, openEcho } from '#server/testing/clients/echo.ts'
import { type ManualClock, manualClock } from '#server/testing/manual-clock.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { admin } from '#server/testing/people/identity.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const MINUTE = 60_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('presence', () => {
    let world: World
    let time: ManualClock
    const open: Listener[] = []
    beforeAll(async () => {
      time = manualClock()
      const { clock, every } = time
      world = await openWorld({ database: kind, listen: true, parts: { clock, every } })
    })
    // The clock also runs by itself: a test that began just before the end of a step would see two of them.
    beforeEach(() => time.advance(SEEN_STEP_MS - (time.clock() % SEEN_STEP_MS)))
    afterEach(() => {
      for (const it of open.splice(0)) it.close()
    })
    afterAll(() => world.close())
    const chat = chatIn(() => world)

    const shows = (as: Member, on = true) => chat.setPrivacy(as, { shows_presence: on })
    const seenBy = (as: Member | null, other: Pick<Member, 'id'>) =>
      call(world, as, 'GET', `/conversations/${other.id}/presence`)
    const presence = async (as: Member, other: Pick<Member, 'id'>) =>
      (await seenBy(as, other)).json<{ presence: unknown }>().presence
    async function connect(member: Member): Promise<Listener> {
      const it = await openEcho(world, member)
      open.push(it)
      expect(await it.join(personChannel(member.id))).toBe('joined')
      return it
    }
    const rowOf = async (member: Member) => {
      const { rows } = await world.database.executeSql(
        'select seen_at, xmin::text as version from user_settings where user_id = $1',
        [member.id],
      )
      return rows[0] as { seen_at: Date | string | null; version: string }
    }
    const storedOf = async (member: Member) => (await rowOf(member)).seen_at
    const isoOf = async (member: Member) => {
      const at = await storedOf(member)
      return at && new Date(at).toISOString()
    }
    const step = () => new Date(time.clock() - (time.clock() % SEEN_STEP_MS)).toISOString()

    /** Two people who have written to each other and show their presence. */
    async function pair(): Promise<[Member, Member]> {
      const [me, other] = [await signUp(world), await signUp(world)]
      await chat.write(me, other)
      await chat.write(other, me)
      await shows(me)
      await shows(other)
      return [me, other]
    }

    test('is off for everyone, and shown once both have turned it on', async () => {
      const [me, other] = [await signUp(world), await signUp(world)]
      await chat.write(me, other)
      await chat.write(other, me)
      await connect(other)
      expect(await presence(me, other)).toBeNull()
      await shows(other)
      expect([await presence(me, other), await presence(other, me)]).toEqual([null, null])
      await shows(me)
      expect(await presence(me, other)).toEqual({ is: 'online' })
      await shows(other, false)
      expect([await presence(me, other), await presence(other, me)]).toEqual([null, null])
    })

    test('a connected person is online, and afterwards was last seen at a time to five minutes', async () => {
      const [me, other] = await pair()
      const connection = await connect(other)
      const at = step()
      expect(await presence(me, other)).toEqual({ is: 'online' })
      connection.close()
      await expect.poll(() => presence(me, other)).toEqual({ is: 'seen', at })
    })

    test('is stored at most once in five minutes, while a page is connected', async () => {
      const [, other] = await pair()
      const page = await connect(other)
      const first = await isoOf(other)
      expect(first).toBe(step())
      const versions = new Set([(await rowOf(other)).version])
      for (let minute = 0; minute < 10; minute++) {
        // A page that sends nothing for two and a half minutes is closed; its pongs may come later than the next minutes.
        page.pusher.unsubscribe(personChannel(other.id))
        expect(await page.join(personChannel(other.id))).toBe('joined')
        await time.advance(MINUTE)
        await expect.poll(() => isoOf(other)).toBe(step())
        versions.add((await rowOf(other)).version)
      }
      expect(versions.size).toBe(3)
    })

    test('requests alone, as a service worker sends them after a push, are no presence', async () => {
      const [me, other] = await pair()
      const at = step()
      await time.advance(2 * SEEN_STEP_MS)
      await call(world, other, 'GET', `/conversations/${me.id}`)
      await chat.receive(other, me, 2)
      expect([await isoOf(other), await presence(me, other)]).toEqual([at, { is: 'seen', at }])
    })

    test('of a person who does not show it nothing is stored, and the time goes with the setting', async () => {
      const hidden = await signUp(world)
      await shows(hidden, false)
      await connect(hidden)
      await time.advance(SEEN_STEP_MS)
      expect(await storedOf(hidden)).toBeNull()
      const [, other] = await pair()
      await connect(other)
      expect(await storedOf(other)).not.toBeNull()
      await Promise.all([shows(other, false), time.advance(SEEN_STEP_MS)])
      expect(await storedOf(other)).toBeNull()
    })

    test('is in no other reply: not in the conversation, its lists, the profile or a search', async () => {
      const [me, other] = await pair()
      await connect(other)
      const at = await isoOf(other)
      for (const path of [
        `/conversations/${other.id}`,
        '/conversations',
        `/users/${other.id}`,
        `/users/${other.id}/follows/followers`,
      ]) {
        const { body } = await call(world, me, 'GET', path)
        expect([path, /presence|seen_at|online/.test(body), body.includes(defined(at))]).toEqual([
          path,
          false,
          false,
        ])
      }
    })
  })
})

describe('who sees the presence of a connected person who shows it', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ listen: true })
  })
  afterAll(() => world.close())
  const chat = chatIn(() => world)
  const shows = (as: Member, on = true) => chat.setPrivacy(as, { shows_presence: on })

  interface Pair {
    readonly me: Member
    readonly other: Member
  }
  const wrote = async ({ me, other }: Pair) => {
    await chat.write(me, other)
    await chat.write(other, me)
  }

  /** Everyone has the setting on, unless the row turns it off. `-`: nothing. Otherwise an error code, or `online`. */
  const table: Record<string, readonly [(pair: Pair) => Promise<Member | null | void>, string]> = {
    'one of the two': [wrote, 'online'],
    'a visitor': [async (pair) => (await wrote(pair), null), 'unauthenticated'],
    'another member': [async (pair) => (await wrote(pair), await shownStranger()), '-'],
    'a member whom both follow': [
      async (pair) => {
        await wrote(pair)
        const third = await shownStranger()
        for (const it of [pair.me, pair.other]) await chat.follow(it, third)
        return third
      },
      '-',
    ],
    'an admin': [
      async (pair) => {
        await wrote(pair)
        const it = await admin(world)
        await shows(it)
        return it
      },
      '-',
    ],
    'one without a conversation': [async () => undefined, '-'],
    'the sender of a request': [async ({ me, other }) => void (await chat.write(me, other)), '-'],
    'the recipient of a request': [async ({ me, other }) => void (await chat.write(other, me)), '-'],
    'the recipient of an accepted request': [
      async ({ me, other }) => {
        await chat.write(other, me)
        await chat.answer(me, other, 'accept')
      },
      'online',
    ],
    'the sender of a declined request': [
      async ({ me, other }) => {
        await chat.write(me, other)
        await chat.answer(other, me, 'decline')
      },
      '-',
    ],
    'one whose message is in the inbox without an answer': [
      async ({ me, other }) => {
        await chat.follow(other, me)
        await chat.write(me, other)
      },
      '-',
    ],
    'one with the setting off': [
      async (pair) => (await wrote(pair), void (await shows(pair.me, false))),
      '-',
    ],
    'one to whom the other does not show it': [
      async (pair) => (await wrote(pair), void (await shows(pair.other, false))),
      '-',
    ],
    'one who has blocked the other': [
      async (pair) => {
        await wrote(pair)
        await call(world, pair.me, 'PUT', `/blocks/${pair.other.id}`)
      },
      'not_found',
    ],
    'one whom the other has blocked': [
      async (pair) => {
        await wrote(pair)
        await call(world, pair.other, 'PUT', `/blocks/${pair.me.id}`)
      },
      'not_found',
    ],
    'one whose other person is leaving': [
      async (pair) => (await wrote(pair), void (await leave(world, pair.other))),
      '-',
    ],
    'one whose other person is suspended': [
      async (pair) => {
        await wrote(pair)
        await world.database.executeSql('update users set suspended_at = now() where id = $1', [
          pair.other.id,
        ])
      },
      '-',
    ],
  }
  async function shownStranger(): Promise<Member> {
    const it = await signUp(world)
    await shows(it)
    return it
  }

  test.each(Object.entries(table))('%s', async (_, [prepare, outcome]) => {
    const pair = { me: await shownStranger(), other: await shownStranger() }
    const { id } = pair.other
    const listener = await openEcho(world, pair.other)
    expect(await listener.join(personChannel(id))).toBe('joined')
    const as = await prepare(pair)
    const reply = await call(world, as === undefined ? pair.me : as, 'GET', `/conversations/${id}/presence`)
    listener.close()
    if (reply.statusCode !== 200) return expect(errorOf(reply).code).toBe(outcome)
    expect(reply.json()).toEqual({ presence: outcome === '-' ? null : { is: outcome } })
  })

  test('a person who does not exist is not found, and oneself has none', async () => {
    const me = await shownStranger()
    const of = (id: string) => call(world, me, 'GET', `/conversations/${id}/presence`)
    expect(errorOf(await of(newId())).code).toBe('not_found')
    expect((await of(me.id)).json()).toEqual({ presence: null })
  })
})
