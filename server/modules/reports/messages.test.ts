// Reports of messages: who may report which one, and what the report copies.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { chatIn, outcomeOf } from '#server/testing/messages/chat.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { removeReportedMessages } from './expiry.ts'
import { openCopy } from '#server/services/people/sealed-copy.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a reported message', () => {
    let world: World
    /** The one who writes, and the one who reports. */
    let writer: Member
    let reader: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { limits: noLimits } })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      ;[writer, reader] = [await signUp(world), await signUp(world)]
      await chat.follow(reader, writer)
      await chat.follow(writer, reader)
    })
    const chat = chatIn(() => world)
    const report = (by: Member | null, id: string, body: object = { reason: 'harassment' }) =>
      call(world, by, 'PUT', `/reports/message/${id}`, body)
    const outcome = async (by: Member, id: string) => outcomeOf(await report(by, id))

    /** The copies of the report of a message, decrypted, in their order. */
    async function copiesOf(messageId: string, by: Member = reader) {
      const { rows } = await world.database.executeSql(
        `select c.* from reported_messages c join reports r on r.id = c.report_id
         where r.target_id = $1 and r.reporter_id = $2 order by seq`,
        [messageId, by.id],
      )
      return (rows as { report_id: string; seq: number; sealed: string }[]).map((it) => ({
        seq: it.seq,
        content: openCopy(world.deps.secrets, it.report_id, it.seq, it.sealed).content,
      }))
    }

    test('is reported by its recipient, with the messages around it, and the reply has no text', async () => {
      await chat.write(reader, writer, 'どなたですか')
      const { id } = await chat.write(writer, reader, '殺すぞ')
      await chat.write(reader, writer, 'やめてください')
      const reply = await report(reader, id, { reason: 'harassment', detail: '怖いです' })
      expect(reply.json()).toMatchObject({
        is: 'new',
        report: { kind: 'message', target_id: id, detail: '怖いです', state: 'open' },
      })
      expect(reply.body).not.toContain('殺すぞ')
      expect(await copiesOf(id)).toEqual([
        { seq: 1, content: 'どなたですか' },
        { seq: 2, content: '殺すぞ' },
        { seq: 3, content: 'やめてください' },
      ])
    })

    test('is copied encrypted: no table has its text besides the conversation', async () => {
      const { id } = await chat.write(writer, reader, 'ひどい言葉の見本')
      await report(reader, id)
      await chat.unsend(writer, id)
      for (const table of ['reports', 'reported_messages', 'audit_log', 'pgboss.job']) {
        const { rows } = await world.database.executeSql(`select to_jsonb(t)::text as row from ${table} t`)
        expect(`${table} ${JSON.stringify(rows)}`).not.toContain('ひどい言葉の見本')
      }
      expect(await copiesOf(id)).toEqual([{ seq: 1, content: 'ひどい言葉の見本' }])
    })

    test('is copied with ten messages before it and nine after it, and no further ones', async () => {
      const ids: string[] = []
      for (let n = 1; n <= 30; n++)
        ids.push((await chat.write(n % 2 ? writer : reader, n % 2 ? reader : writer, `${n}`)).id)
      await report(reader, defined(ids[14]))
      const seqs = (await copiesOf(defined(ids[14]))).map((it) => it.seq)
      expect(seqs).toEqual(Array.from({ length: 20 }, (_, n) => n + 5))
    })

    test('cannot be opened in another place of the report, or in another report', async () => {
      const { id } = await chat.write(writer, reader)
      await report(reader, id)
      const { rows } = await world.database.executeSql(
        `select c.* from reported_messages c join reports r on r.id = c.report_id where r.target_id = $1`,
        [id],
      )
      const [row] = rows as { report_id: string; seq: number; sealed: string }[]
      expect(() => openCopy(world.deps.secrets, defined(row?.report_id), 2, defined(row?.sealed))).toThrow(
        'authenticate',
      )
      expect(() => openCopy(world.deps.secrets, newId(), 1, defined(row?.sealed))).toThrow('authenticate')
    })

    test('is not found for its own sender, for other people, and where there is none', async () => {
      const { id } = await chat.write(writer, reader)
      expect(await outcome(writer, id)).toBe('not_found')
      expect(await outcome(await signUp(world), id)).toBe('not_found')
      expect(await outcome(reader, newId())).toBe('not_found')
      expect(errorOf(await report(null, id)).code).toBe('unauthenticated')
      expect(await outcome(reader, id)).toBe(200)
    })

    test('of a request can be reported, also after it was declined', async () => {
      const stranger = await signUp(world)
      const { id } = await chat.write(stranger, reader, '儲かる話があります')
      await chat.answer(reader, stranger, 'decline')
      expect(await outcome(reader, id)).toBe(200)
    })

    const losses: Record<string, (id: string) => Promise<unknown>> = {
      'after the reporter blocked the sender': () => call(world, reader, 'PUT', `/blocks/${writer.id}`),
      'after the sender blocked the reporter': () => call(world, writer, 'PUT', `/blocks/${reader.id}`),
      'after it was unsent': (id) => chat.unsend(writer, id),
      'after the reporter deleted it': (id) => chat.hide(reader, id),
      'after the reporter deleted the conversation': () => chat.clear(reader, writer),
    }
    test.each(Object.entries(losses))('%s can be reported for 30 days', async (_, lose) => {
      const { id } = await chat.write(writer, reader)
      await lose(id)
      world.clock.now += 30 * DAY
      expect(await outcome(reader, id)).toBe(200)
      // A repeat begins no new time.
      await lose(id)
      world.clock.now += 1
      expect(await outcome(reader, id)).toBe('not_found')
    })

    test('is listed for its recipient alone, also for 30 days after a block, without unsent ones', async () => {
      const { id } = await chat.write(writer, reader, '通報したい言葉')
      const unsent = await chat.write(writer, reader, '取り消した言葉')
      await chat.write(reader, writer, '自分の言葉')
      await chat.unsend(writer, unsent.id)
      const listed = async (by: Member, of: Member) =>
        (await call(world, by, 'GET', `/conversations/${of.id}/reportable`))
          .json()
          .messages.map((it: { id: string; excerpt: string }) => [it.id, it.excerpt])
      expect(await listed(reader, writer)).toEqual([[id, '通報したい言葉']])
      expect(await listed(await signUp(world), writer)).toEqual([])
      expect(errorOf(await call(world, null, 'GET', `/conversations/${writer.id}/reportable`)).code).toBe(
        'unauthenticated',
      )
      await call(world, writer, 'PUT', `/blocks/${reader.id}`)
      world.clock.now += 30 * DAY
      expect(await listed(reader, writer)).toEqual([[id, '通報したい言葉']])
      world.clock.now += 1
      expect(await listed(reader, writer)).toEqual([])
    })

    test('that was unsent before has no text, and the messages around it have theirs', async () => {
      const { id } = await chat.write(writer, reader, '取り消した言葉')
      await chat.write(writer, reader, 'なんでもない')
      await chat.unsend(writer, id)
      await report(reader, id)
      expect(await copiesOf(id)).toEqual([
        { seq: 1, content: null },
        { seq: 2, content: 'なんでもない' },
      ])
    })

    test('reported again has other words and the first copies, also when it was unsent since', async () => {
      const { id } = await chat.write(writer, reader, '最初の言葉')
      await report(reader, id)
      await chat.unsend(writer, id)
      const again = await report(reader, id, { reason: 'other', detail: '追記' })
      expect(again.json()).toMatchObject({ is: 'changed', report: { reason: 'other', detail: '追記' } })
      expect(await copiesOf(id)).toEqual([{ seq: 1, content: '最初の言葉' }])
    })

    test('is copied with messages that the reporter has deleted for themselves', async () => {
      const own = await chat.write(reader, writer, '先に言ったのはこちら')
      const { id } = await chat.write(writer, reader, '言い返した')
      await chat.hide(reader, own.id)
      await report(reader, id)
      expect(await copiesOf(id)).toHaveLength(2)
    })

    test('is copied for 90 days after the decision, and for a year without one', async () => {
      const [{ id: decided }, { id: open }] = [
        await chat.write(writer, reader),
        await chat.write(writer, reader),
      ]
      await report(reader, decided)
      await report(reader, open)
      await world.database.executeSql(
        `update reports set state = 'warned', decided_at = $2 where target_id = $1`,
        [decided, new Date(world.clock.now).toISOString()],
      )
      const left = async () => [(await copiesOf(decided)).length, (await copiesOf(open)).length]
      world.clock.now += 90 * DAY
      await removeReportedMessages(world.deps)
      expect(await left()).toEqual([2, 2])
      world.clock.now += 1
      await removeReportedMessages(world.deps)
      expect(await left()).toEqual([0, 2])
      world.clock.now += 275 * DAY
      await removeReportedMessages(world.deps)
      expect(await left()).toEqual([0, 0])
    })

    test('of a person who leaves can be reported until the account is deleted, which removes all copies', async () => {
      const { id } = await chat.write(writer, reader)
      await leave(world, writer)
      expect(await outcome(reader, id)).toBe(200)
      world.clock.now += LEAVING_MS
      await deleteDue(world)
      expect(await copiesOf(id)).toEqual([])
      expect(await outcome(reader, id)).toBe('not_found')
    })

    test('stays copied when the reporter’s account is deleted, without the reporter’s own messages', async () => {
      await chat.write(reader, writer, '通報した人の言葉')
      const { id } = await chat.write(writer, reader, '通報された言葉')
      await report(reader, id)
      await leave(world, reader)
      world.clock.now += LEAVING_MS
      await deleteDue(world)
      const { rows } = await world.database.executeSql(
        `select c.seq, r.reporter_id, r.detail from reported_messages c join reports r on r.id = c.report_id
         where r.target_id = $1`,
        [id],
      )
      expect(rows).toEqual([{ seq: 2, reporter_id: null, detail: '' }])
    })
  })
})

test('a member reports so many messages in a day, and then still people', async () => {
  const limits = { ...noLimits, messageReports: { max: 2, timeWindow: DAY } }
  const world = await openWorld({ settings: { limits } })
  const chat = chatIn(() => world)
  const [writer, reader] = [await signUp(world), await signUp(world)]
  await chat.follow(reader, writer)
  const outcomes = []
  for (let n = 0; n < 3; n++) {
    const { id } = await chat.write(writer, reader, `${n}`)
    const reply = await call(world, reader, 'PUT', `/reports/message/${id}`, { reason: 'spam' })
    outcomes.push(outcomeOf(reply))
  }
  expect(outcomes).toEqual([200, 200, 'rate_limited'])
  expect(
    outcomeOf(await call(world, reader, 'PUT', `/reports/person/${writer.id}`, { reason: 'spam' })),
  ).toBe(200)
  await world.close()
})
