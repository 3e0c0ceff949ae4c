// What a deleted account leaves of its images and videos in messages.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { sentMediaIn } from '#server/testing/messages/media.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

let world: World
const chat = chatIn(() => world)
const sent = sentMediaIn(() => world)

async function erase(it: Member): Promise<void> {
  await leave(world, it)
  world.clock.now += LEAVING_MS
  await deleteDue(world)
}
const hasFile = async (id: string) => (await world.deps.storage.objects.sizeOf(`uploads/${id}`)) !== undefined

describe.each(databases)('on $kind', ({ kind, available }) => {
  beforeAll(async () => {
    if (available) world = await openWorld({ database: kind })
  })
  afterAll(() => (available ? world.close() : undefined))

  test.skipIf(!available)(
    'texts stay without files, messages without a text are unsent, and devices read both again',
    async () => {
      const [me, other] = [await signUp(world), await signUp(world)]
      await chat.follow(other, me)
      const [one = '', two = '', three = ''] = await sent.pictures(me, 3)
      const kept = await sent.picture(other)
      await chat.write(me, other, '見てね', { media: [one] })
      await chat.write(me, other, '', { media: [two, three] })
      await chat.write(other, me, '', { media: [kept] })
      await chat.write(me, other, 'ありがとう')
      const { last_change: last, unread } = await chat.stateOf(other, me)
      await erase(me)
      const { messages } = await chat.messagesOf(other, me)
      expect(messages.map((it) => it.body)).toMatchObject([
        { content: '見てね', media: [] },
        { is: 'unsent' },
        { media: [{ id: kept }] },
        { content: 'ありがとう' },
      ])
      const changes = await chat.changesOf(other, me, last)
      expect(changes.messages.map((it) => [it.seq, it.change])).toEqual([
        [1, last + 1],
        [2, last + 2],
      ])
      expect(changes.next.after).toBe(last + 2)
      expect([unread, (await chat.stateOf(other, me)).unread]).toEqual([3, 2])
      expect(await Promise.all([one, two, three, kept].map(hasFile))).toEqual([false, false, false, true])
    },
  )

  test.skipIf(!available)('a request that was not accepted is removed with its files', async () => {
    const [stranger, me] = [await signUp(world), await signUp(world)]
    const id = await sent.picture(stranger)
    const { id: messageId } = await chat.write(stranger, me, '', { media: [id] })
    await erase(stranger)
    const { rows } = await world.database.executeSql(
      `select id from messages where id = $1 union all select id from media where id = $2`,
      [messageId, id],
    )
    expect([rows, await hasFile(id)]).toEqual([[], false])
  })
})
