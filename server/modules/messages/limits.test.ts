// Limits of messages: by person, for new accounts, of begun requests, and of equal texts.
import { afterEach, expect, test } from 'vitest'
import { type Limits, noLimits } from '#server/http/limits.ts'
import { chatIn, outcomeOf } from '#server/testing/messages/chat.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { removeOldEqualMessages } from './send.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

let world: World
afterEach(() => world.close())
const chat = chatIn(() => world)
const open = async (limits: Partial<Limits>) => {
  world = await openWorld({ settings: { limits: { ...noLimits, ...limits } } })
}
const people = async (count: number): Promise<Member[]> => {
  const all = []
  for (let n = 0; n < count; n++) all.push(await signUp(world))
  return all
}
const aged = async (): Promise<Member> => {
  const it = await signUp(world)
  world.clock.now += 8 * DAY
  return it
}

test('a person sends so many messages in a minute', async () => {
  await open({ messages: { max: 2, timeWindow: 60_000 } })
  const [me, other] = (await people(2)) as [Member, Member]
  const outcomes = []
  for (let n = 0; n < 3; n++) outcomes.push(outcomeOf(await chat.send(me, other, { content: `${n}` })))
  expect(outcomes).toEqual([200, 200, 'rate_limited'])
  world.clock.now += 60_000
  expect(outcomeOf(await chat.send(me, other))).toBe(200)
})

test('an account younger than a week sends fewer, and a repeated message is not counted', async () => {
  await open({ messagesOfNew: { max: 2, timeWindow: HOUR } })
  const old = await aged()
  const [me, other] = (await people(2)) as [Member, Member]
  await chat.follow(other, me)
  await chat.follow(other, old)
  const { id } = await chat.write(me, other, '1')
  for (let n = 0; n < 3; n++) expect(outcomeOf(await chat.send(me, other, { id, content: '1' }))).toBe(200)
  const outcomes = async (as: Member) => {
    const all = []
    for (let n = 2; n <= 4; n++) all.push(outcomeOf(await chat.send(as, other, { content: `${n}` })))
    return all
  }
  expect(await outcomes(me)).toEqual([200, 'rate_limited', 'rate_limited'])
  expect(await outcomes(old)).toEqual([200, 200, 200])
})

test('requests that one person begins in a day are limited, more for a new account', async () => {
  await open({
    messageRequests: { max: 3, timeWindow: DAY },
    messageRequestsOfNew: { max: 1, timeWindow: DAY },
  })
  const old = await aged()
  const [me, ...others] = (await people(5)) as [Member, ...Member[]]
  const begun = async (as: Member) => {
    const all = []
    for (const to of others) all.push(outcomeOf(await chat.send(as, to)))
    return all
  }
  expect(await begun(me)).toEqual([200, 'rate_limited', 'rate_limited', 'rate_limited'])
  expect(await begun(old)).toEqual([200, 200, 200, 'rate_limited'])
  // Further messages of a request that exists are not counted.
  expect(outcomeOf(await chat.send(me, others[0] as Member))).toBe(200)
})

test('one text is sent to so many people who have not answered, however it is spelled, for a day', async () => {
  await open({ equalMessages: 2 })
  const [me, one, two, three] = (await people(4)) as [Member, Member, Member, Member]
  for (const it of [one, two, three]) await chat.follow(it, me)
  expect(outcomeOf(await chat.send(me, one, { content: 'ぜひ見てね ABC' }))).toBe(200)
  expect(outcomeOf(await chat.send(me, two, { content: 'ゼヒ見てね ａｂｃ' }))).toBe(200)
  const again = () => chat.send(me, three, { content: 'ぜひ見てね abc' })
  expect(outcomeOf(await again())).toBe('text_limit')
  // To the same people, another text, and to people who have answered it may be sent.
  expect(outcomeOf(await chat.send(me, one, { content: 'ぜひ見てね ABC' }))).toBe(200)
  expect(outcomeOf(await chat.send(me, three, { content: 'べつの文' }))).toBe(200)
  await chat.write(three, me)
  expect(outcomeOf(await again())).toBe(200)
  const { rows } = await world.database.executeSql('select content, recipient from equal_messages')
  expect(rows).toHaveLength(3)
  for (const value of [me.id, one.id, 'ABC', 'abc']) expect(JSON.stringify(rows)).not.toContain(value)
  world.clock.now += DAY
  await removeOldEqualMessages(world.deps)
  expect((await world.database.executeSql('select 1 from equal_messages')).rows).toEqual([])
})

test('people at once do not get one text beyond the limit', async () => {
  await open({ equalMessages: 3 })
  const [me, ...others] = (await people(9)) as [Member, ...Member[]]
  const outcomes = await Promise.all(others.map((to) => chat.send(me, to)))
  expect(outcomes.map(outcomeOf).filter((it) => it === 200)).toHaveLength(3)
})
