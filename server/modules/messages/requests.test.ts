// Message requests: who needs one, its limit, and how it is accepted or declined.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatIn, contentOf, joinPlanOf, outcomeOf } from '#server/testing/messages/chat.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let me: Member
let fan: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[me, fan] = [await signUp(world), await signUp(world)]
})
const chat = chatIn(() => world)
const idsOf = async (as: Member, list: string) =>
  (await chat.listOf(as, `?list=${list}`)).conversations.map((it) => it.person.id)

describe('a first message of a person whom the recipient does not follow', () => {
  test('is in the list of requests and not counted as unread until it is accepted', async () => {
    expect((await chat.stateOf(fan, me)).may_write).toBe('request')
    await chat.write(fan, me)
    expect([await idsOf(me, 'inbox'), await idsOf(me, 'requests')]).toEqual([[], [fan.id]])
    expect(await idsOf(fan, 'inbox')).toEqual([me.id])
    expect(await chat.unreadOf(me)).toEqual({ count: 0, requests: 1 })
    expect(await chat.stateOf(me, fan)).toMatchObject({ is_request: true, unread: 1 })
    await chat.answer(me, fan, 'accept')
    expect([await idsOf(me, 'inbox'), await idsOf(me, 'requests')]).toEqual([[fan.id], []])
    expect(await chat.unreadOf(me)).toEqual({ count: 1, requests: 0 })
    expect((await chat.stateOf(fan, me)).may_write).toBe('open')
  })

  test('can be followed by two more, and then only after an answer', async () => {
    for (let n = 1; n <= 3; n++) expect(outcomeOf(await chat.send(fan, me, { content: `${n}` }))).toBe(200)
    expect((await chat.stateOf(fan, me)).may_write).toBe('waiting')
    expect(outcomeOf(await chat.send(fan, me, { content: '4' }))).toBe('forbidden')
    expect((await chat.messagesOf(me, fan)).messages.map(contentOf)).toEqual(['1', '2', '3'])
    await chat.write(me, fan, '返事')
    expect(outcomeOf(await chat.send(fan, me, { content: '5' }))).toBe(200)
  })

  test('is accepted by a reply', async () => {
    await chat.write(fan, me)
    await chat.write(me, fan)
    expect(await idsOf(me, 'inbox')).toEqual([fan.id])
    expect(await chat.stateOf(me, fan)).toMatchObject({ is_request: false, may_write: 'open' })
  })

  test('an unsent message counts as one of the three', async () => {
    for (let n = 1; n <= 3; n++) await chat.unsend(fan, (await chat.write(fan, me)).id)
    expect(outcomeOf(await chat.send(fan, me))).toBe('forbidden')
  })

  test('gets no reaction before it is accepted, from neither', async () => {
    const it = await chat.write(fan, me)
    expect([outcomeOf(await chat.react(me, it.id)), outcomeOf(await chat.react(fan, it.id))]).toEqual([
      'forbidden',
      'forbidden',
    ])
    await chat.answer(me, fan, 'accept')
    expect(outcomeOf(await chat.react(me, it.id))).toBe(200)
  })

  test('is not shown while its sender is suspended', async () => {
    await chat.write(fan, me)
    await world.database.executeSql('update users set suspended_at = now() where id = $1', [fan.id])
    expect([await idsOf(me, 'requests'), await chat.unreadOf(me)]).toEqual([[], { count: 0, requests: 0 }])
  })
})

describe('a declined request', () => {
  const withoutNumbers = async () => {
    const view = await chat.stateOf(fan, me)
    return { ...view, conversation_id: '', person: null }
  }

  test('looks to its sender like one without an answer, with each further message', async () => {
    const second = await signUp(world)
    await chat.write(fan, me, '1')
    await chat.write(fan, second, '1')
    await chat.answer(me, fan, 'decline')
    for (let n = 2; n <= 5; n++) {
      const [declined, waiting] = [await withoutNumbers(), await chat.stateOf(fan, second)]
      expect(declined).toEqual({ ...waiting, conversation_id: '', person: null })
      const outcomes = [
        await chat.send(fan, me, { content: `${n}` }),
        await chat.send(fan, second, { content: `${n}` }),
      ]
      expect(outcomeOf(outcomes[0] as never)).toBe(outcomeOf(outcomes[1] as never))
    }
  })

  test('is in no list of the person who declined, nor counted, and can be accepted later', async () => {
    await chat.write(fan, me, '1')
    await chat.answer(me, fan, 'decline')
    await chat.write(fan, me, '2')
    expect([await idsOf(me, 'inbox'), await idsOf(me, 'requests'), await idsOf(me, 'archived')]).toEqual([
      [],
      [],
      [],
    ])
    expect(await chat.unreadOf(me)).toEqual({ count: 0, requests: 0 })
    await chat.answer(me, fan, 'accept')
    expect([await idsOf(me, 'inbox'), (await chat.unreadOf(me)).count]).toEqual([[fan.id], 2])
    expect(outcomeOf(await chat.answer(me, fan, 'decline'))).toBe('conflict')
  })
})

describe('the setting', () => {
  const cases = [
    ['everyone', 'request open open'],
    ['following', 'closed open open'],
    ['plan_members', 'closed closed open'],
    ['nobody', 'closed closed closed'],
  ] as const
  test.each(cases)('%s: strangers, followed people and plan members', async (from, expected) => {
    const [followed, member] = [await signUp(world), await signUp(world)]
    await chat.follow(me, followed)
    await joinPlanOf(world, me, member)
    await chat.setPrivacy(me, { message_from: from })
    const states = []
    for (const it of [fan, followed, member]) {
      const { may_write } = await chat.stateOf(it, me)
      states.push(may_write)
      expect(outcomeOf(await chat.send(it, me))).toBe(may_write === 'closed' ? 'forbidden' : 200)
    }
    expect(states.join(' ')).toBe(expected)
  })

  test('does not close a conversation in which the person has written', async () => {
    await chat.follow(fan, me)
    await chat.write(me, fan)
    await chat.setPrivacy(me, { message_from: 'nobody' })
    expect(outcomeOf(await chat.send(fan, me))).toBe(200)
  })

  test('closes one to which the person has not answered', async () => {
    await chat.follow(me, fan)
    await chat.write(fan, me)
    await chat.setPrivacy(me, { message_from: 'nobody' })
    expect(outcomeOf(await chat.send(fan, me))).toBe('forbidden')
  })

  test('a membership that has ended opens nothing', async () => {
    await joinPlanOf(world, me, fan)
    await chat.setPrivacy(me, { message_from: 'plan_members' })
    await world.database.executeSql('update plan_members set ends_at = $2 where user_id = $1', [
      fan.id,
      new Date(world.clock.now).toISOString(),
    ])
    expect((await chat.stateOf(fan, me)).may_write).toBe('closed')
  })

  test('a person cannot write to themselves', async () => {
    expect(outcomeOf(await chat.send(me, me))).toBe('forbidden')
  })
})

test('a block closes the conversation for both, and ends with its removal', async () => {
  await chat.write(fan, me)
  await chat.write(me, fan)
  await call(world, me, 'PUT', `/blocks/${fan.id}`)
  expect([outcomeOf(await chat.send(me, fan)), outcomeOf(await chat.send(fan, me))]).toEqual([
    'forbidden',
    'forbidden',
  ])
  await call(world, me, 'DELETE', `/blocks/${fan.id}`)
  expect(outcomeOf(await chat.send(fan, me))).toBe(200)
})
