// Messages in a data export: written ones, and received ones that are not deleted.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatIn } from '#server/testing/messages/chat.ts'
import { exportOf } from '#server/testing/people/exported.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
const chat = chatIn(() => world)

interface Exported {
  readonly with: { readonly id: string }
  readonly messages: readonly { readonly from: string; readonly content: string }[]
}

async function exportedOf(person: Member): Promise<Record<string, string[]>> {
  const file = (await exportOf(world, person)).find((it) => it.name === 'messages.json')
  const conversations = JSON.parse(file?.bytes.toString() ?? '') as Exported[]
  return Object.fromEntries(
    conversations.map((it) => [it.with.id, it.messages.map(({ from, content }) => `${from} ${content}`)]),
  )
}

test('has own messages and received ones, without what was deleted or is of a blocked person', async () => {
  const [me, one, two, outsider] = [
    await signUp(world),
    await signUp(world),
    await signUp(world),
    await signUp(world),
  ]
  for (const it of [one, two]) await chat.follow(me, it)
  await chat.write(one, me, 'それから')
  await chat.write(me, one, 'はい')
  const hidden = await chat.write(one, me, '消す')
  await chat.hide(me, hidden.id)
  await chat.write(two, me, '会いたい')
  await chat.write(me, two, 'やめて')
  await chat.write(one, outsider, 'よそ')
  await call(world, me, 'PUT', `/blocks/${two.id}`)
  expect(await exportedOf(me)).toEqual({
    [one.id]: ['them それから', 'me はい'],
    [two.id]: ['me やめて'],
  })
})
