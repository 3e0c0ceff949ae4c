// The storage time of messages: removed for both, with their files and counts.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatIn, contentOf } from '#server/testing/messages/chat.ts'
import { broadcastsIn, planOf } from '#server/testing/messages/broadcasts.ts'
import { sentMediaIn } from '#server/testing/messages/media.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { removeExpiredMessages } from './retention.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('messages that are older than the operator stores them', () => {
    let world: World
    let me: Member
    let other: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    const chat = chatIn(() => world)
    const sent = sentMediaIn(() => world)
    beforeEach(async () => {
      ;[me, other] = [await signUp(world), await signUp(world)]
      await chat.follow(me, other)
      await chat.follow(other, me)
    })
    /** Runs the sweep some days from now. */
    const sweep = (days: number | null, passed: number) =>
      removeExpiredMessages({
        ...world.deps,
        clock: () => world.deps.clock() + passed * DAY,
        settings: {
          ...world.deps.settings,
          operator: { ...world.deps.settings.operator, message_days: days },
        },
      })
    const texts = async () => (await chat.messagesOf(me, other)).messages.map(contentOf)

    test('are removed for both, and the next message has the next number', async () => {
      await chat.write(me, other, '古いことば')
      await chat.write(other, me, '古い返事')
      await sweep(30, 29)
      expect(await texts()).toEqual(['古いことば', '古い返事'])
      await sweep(30, 31)
      expect(await texts()).toEqual([])
      expect((await chat.messagesOf(other, me)).messages).toEqual([])
      expect(await chat.stateOf(me, other)).toMatchObject({ unread: 0, last_seq: 2 })
      expect((await chat.unreadOf(me)).count).toBe(0)
      const next = await chat.write(me, other, '新しいことば')
      expect(next.seq).toBe(3)
    })

    test('lose their files too, and a reply to one stays without its excerpt', async () => {
      const mediaId = await sent.picture(me)
      const old = await chat.write(me, other, '写真です', { media: [mediaId] })
      await sweep(30, 31)
      expect((await chat.messagesOf(me, other)).messages).toEqual([])
      const { rows } = await world.database.executeSql(
        `select data ->> 'mediaId' as id from pgboss.job where name = 'media.remove'`,
      )
      expect(rows.map((row) => (row as { id: string }).id)).toContain(mediaId)
      expect((await chat.send(me, other, { content: '返信', reply_to: old.id })).statusCode).toBe(404)
    })

    test('leave no broadcast with their text either, once it has ended', async () => {
      const plan = await planOf(world, me, [other])
      const broadcasts = broadcastsIn(() => world)
      const { id } = await broadcasts.begin(me, { content: '古いお知らせ', plan_ids: [plan] })
      const running = await broadcasts.begin(me, { content: '届けている途中', plan_ids: [plan] })
      await broadcasts.stop(me, id)
      const left = async () => {
        const { rows } = await world.database.executeSql('select id from broadcasts where creator_id = $1', [
          me.id,
        ])
        return rows.map((row) => (row as { id: string }).id).toSorted()
      }
      await sweep(30, 29)
      expect(await left()).toEqual([id, running.id].toSorted())
      await sweep(30, 31)
      expect(await left()).toEqual([running.id])
    })

    test('stay where the operator has set no time', async () => {
      await chat.write(me, other, 'ずっとここに')
      await sweep(null, 10_000)
      expect(await texts()).toEqual(['ずっとここに'])
    })
  })
})
