// Admins read the messages of a report, audited and after a validation; other people never.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { admin, audited, identify } from '#server/testing/people/identity.ts'
import { call, errorOf, identify as identified, type Member, signUp } from '#server/testing/people/members.ts'
import { pricedPost } from '#server/testing/payments/shop.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the messages of a report', () => {
    let world: World
    let moderator: Member
    let writer: Member
    let reader: Member
    let message: string
    let id: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    const chat = chatIn(() => world)
    beforeEach(async () => {
      moderator = await admin(world)
      await identify(world, moderator)
      ;[writer, reader] = [await signUp(world), await signUp(world)]
      await chat.follow(reader, writer)
      await chat.write(writer, reader, 'まえの言葉')
      message = (await chat.write(writer, reader, '通報された言葉')).id
      await chat.write(reader, writer, '返事')
      const body = { reason: 'harassment', detail: '怖いです' }
      id = (await call(world, reader, 'PUT', `/reports/message/${message}`, body)).json().report.id
    })

    const read = (as: Member | null, report = id) =>
      call(world, as, 'GET', `/admin/reports/${report}/messages`)
    const readings = async () =>
      (await audited(world)).filter((it) => it.act === 'report.read_messages' && it.subject === id)

    test('have their senders, and the reported one is marked', async () => {
      const reply = await read(moderator)
      expect(reply.json()).toMatchObject({
        report_id: id,
        reason: 'harassment',
        detail: '怖いです',
        messages: [
          { seq: 1, sender_id: writer.id, by_reporter: false, is_reported: false, content: 'まえの言葉' },
          { seq: 2, sender_id: writer.id, is_reported: true, content: '通報された言葉' },
          { seq: 3, sender_id: reader.id, by_reporter: true, is_reported: false, content: '返事' },
        ],
      })
      expect(reply.headers['cache-control']).toBe('no-store')
    })

    test('have the id of a post that they carry, and nothing else of it', async () => {
      const postId = await pricedPost(world, await identified(world, writer))
      const carrying = await chat.write(writer, reader, '買ってください', { post_id: postId })
      const body = { reason: 'spam', detail: '' }
      const report = (await call(world, reader, 'PUT', `/reports/message/${carrying.id}`, body)).json().report
        .id
      const reply = await read(moderator, report)
      expect(reply.json().messages.map((it: { post_id: string | null }) => it.post_id)).toEqual([
        null,
        null,
        null,
        postId,
      ])
      expect(reply.body).not.toContain('有料の投稿です')
    })

    test('are in the audit log at each reading, with the admin', async () => {
      await read(moderator)
      await read(moderator)
      expect((await readings()).map((it) => it.actor)).toEqual([moderator.id, moderator.id])
    })

    test('are shown without the texts of messages that came after the report', async () => {
      await chat.write(writer, reader, 'あとの言葉')
      expect((await read(moderator)).body).not.toContain('あとの言葉')
    })

    test('are not read without a validation of this session within ten minutes, and then not audited', async () => {
      world.clock.now += 10 * 60_000
      const refused = await read(moderator)
      expect([refused.statusCode, errorOf(refused).code]).toEqual([403, 'validation_required'])
      expect(refused.body).not.toContain('言葉')
      expect(await readings()).toEqual([])
    })

    test('are read by no other person: members, the two people of the conversation, visitors', async () => {
      const others = [await signUp(world), writer, reader]
      for (const it of others) {
        await identify(world, it)
        expect(errorOf(await read(it)).code).toBe('not_found')
      }
      expect(errorOf(await read(null)).code).toBe('unauthenticated')
      expect(await readings()).toEqual([])
    })

    test('are not read by an admin who is one of the two people', async () => {
      for (const it of [writer, reader]) {
        await world.database.executeSql(`update users set role = 'admin' where id = $1`, [it.id])
        await identify(world, it)
        expect(errorOf(await read(it)).code).toBe('forbidden')
      }
      expect(await readings()).toEqual([])
    })

    test('are not read without their audit entry', async () => {
      await world.database.executeSql('alter table audit_log rename to audit_log_away')
      const reply = await read(moderator)
      await world.database.executeSql('alter table audit_log_away rename to audit_log')
      expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
      expect(reply.body).not.toContain('言葉')
    })

    test('are gone after their copies were removed, and a report of a person has none', async () => {
      await world.database.executeSql('delete from reported_messages where report_id = $1', [id])
      expect(errorOf(await read(moderator)).code).toBe('gone')
      const person = await call(world, reader, 'PUT', `/reports/person/${writer.id}`, { reason: 'spam' })
      expect(errorOf(await read(moderator, person.json().report.id)).code).toBe('not_found')
      expect(errorOf(await read(moderator, newId())).code).toBe('not_found')
    })
  })
})
