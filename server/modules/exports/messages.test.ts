// Messages in a data export: written and received ones, with own files.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { exportOf } from '#server/testing/people/exported.ts'
import { call, type Member, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
const chat = chatIn(() => world)

interface Exported {
  readonly with: { readonly id: string }
  readonly messages: readonly {
    readonly from: string
    readonly content: string
    readonly files: readonly { readonly file: string | null }[]
  }[]
}

async function exportedOf(person: Member): Promise<Record<string, string[]>> {
  const file = (await exportOf(world, person)).find((it) => it.name === 'messages.json')
  const conversations = JSON.parse(defined(file?.bytes.toString())) as Exported[]
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

test('has the files of own messages under the names in messages.json, and no file of others', async () => {
  const [me, other] = [await signUp(world), await signUp(world)]
  await chat.follow(me, other)
  const [own, received] = [await jpeg(320, 180), await jpeg(640, 360)]
  const mine = await upload(world, me, own, '海.jpg')
  const { id, sent_at: at } = await chat.write(me, other, '', { media: [mine] })
  await chat.write(other, me, '山', { media: [await upload(world, other, received, '山.jpg')] })
  const entries = await exportOf(world, me)
  const file = entries.find((it) => it.name === 'messages.json')
  const [conversation] = JSON.parse(defined(file?.bytes.toString())) as Exported[]
  const name = `media/messages/${new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(new Date(at))}_${id}/1_海.jpg`
  expect(conversation?.messages.map((it) => it.files)).toEqual([
    [{ file: name, kind: 'image', mime: 'image/jpeg' }],
    [{ file: null, kind: 'image', mime: 'image/jpeg' }],
  ])
  expect(entries.find((it) => it.name === name)?.bytes.equals(own)).toBe(true)
  expect(entries.some((it) => it.bytes.equals(received))).toBe(false)
})
