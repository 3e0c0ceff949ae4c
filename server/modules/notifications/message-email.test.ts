// Emails about unread messages: opt-in, without text, one a day for each conversation.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { findUser } from '#server/store/people/people.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
const chat = chatIn(() => world)

/** Two people whose conversation is open; the second one wants emails. */
async function twoPeople(wants = true): Promise<[Member, Member]> {
  const [from, to] = [await signUp(world), await signUp(world)]
  await chat.follow(to, from)
  if (wants) await call(world, to, 'PATCH', '/settings/notification/message', { mail: true })
  return [from, to]
}
const about = async (to: Member) =>
  (await emailsTo(world, to.email)).filter((it) => it.is === 'notification' && it.path.startsWith('/chat-'))

test('an email names the sender and leads to the conversation, and has no text of the message', async () => {
  const [from, to] = await twoPeople()
  await chat.write(from, to, '会いたいです')
  const name = defined((await findUser(world.deps.db, from.id))?.name)
  const title = `${name}さんからメッセージが届きました`
  expect(await about(to)).toEqual([
    { is: 'notification', title, quoted: '', path: `/chat-messages/${from.id}` },
  ])
  expect(JSON.stringify(await about(to))).not.toContain('会いたい')
})

test('a job of an email starts after ten minutes', async () => {
  const [from, to] = await twoPeople()
  const { id } = await chat.write(from, to)
  const { rows } = await world.database.executeSql(
    `select round(extract(epoch from start_after - created_on))::int as delay from pgboss.job
     where name = 'message.mail' and data ->> 'messageId' = $1`,
    [id],
  )
  expect(rows).toEqual([{ delay: 600 }])
})

test('a day has one email about a conversation, and the next day another one', async () => {
  const [from, to] = await twoPeople()
  for (let n = 0; n < 3; n++) await chat.write(from, to, `${n}`)
  expect(await about(to)).toHaveLength(1)
  world.clock.now += 23 * HOUR
  await chat.write(from, to)
  expect(await about(to)).toHaveLength(1)
  world.clock.now += HOUR
  await chat.write(from, to)
  expect(await about(to)).toHaveLength(2)
})

test('no email is sent without the setting, of what was read meanwhile, of a request or of a muted conversation', async () => {
  const [quietFrom, quiet] = await twoPeople(false)
  await chat.write(quietFrom, quiet)
  const [from, to] = await twoPeople()
  await chat.write(from, to)
  await chat.read(to, from, 1)
  const stranger = await signUp(world)
  await chat.write(stranger, to)
  expect([await about(quiet), await about(to)]).toEqual([[], []])
  await chat.set(to, from, { muted: true })
  await chat.write(from, to)
  expect(await about(to)).toEqual([])
})
