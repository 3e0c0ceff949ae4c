// Publishing of notices: batches, stopping, resuming, schedules and withdrawing.
import { beforeAll, describe, expect, test } from 'vitest'
import type { NoticeDetail } from '#contract/notices/admin-notices.ts'
import { newId } from '#contract/ids.ts'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { noticeDesk, runBatches, runOtherJobs, signUpStaff } from '#server/testing/notices/notices.ts'
import { emailsTo, takeJobs } from '#server/testing/people/emails.ts'
import { audited, identify } from '#server/testing/people/identity.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import {
  notificationRowsOf,
  notificationsOf,
  recordLiveMessages,
  unreadOf,
} from '#server/testing/people/notified.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { beginDue } from './act.ts'
import { fanOutNotice } from './fan-out.ts'
import { sweepNotices } from './sweep.ts'

const HOUR = 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('publishing', () => {
    let world: World
    let staff: Member
    let desk: ReturnType<typeof noticeDesk>
    const live = recordLiveMessages()
    beforeAll(async () => {
      world = await openWorld({ database: kind, parts: { realtime: live.realtime } })
      staff = await signUpStaff(world)
      desk = noticeDesk(world, staff)
      return () => world.close()
    })

    const run = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
      (await world.database.executeSql(text, values)).rows as Row[]

    /** Adds people without signing them up. */
    const crowd = (count: number) =>
      run(
        `insert into users (id, email, password_hash, name, birth_date, created_at)
         select gen_random_uuid(), gen_random_uuid() || '@example.com', '', 'x', '1990-01-01', now() from generate_series(1, $1)`,
        [count],
      )
    const notified = async (noticeId: string) => {
      const [row] = await run<{ n: number; people: number }>(
        'select count(*)::int as n, count(distinct user_id)::int as people from notifications where target_id = $1',
        [noticeId],
      )
      return row
    }
    const progress = ({ state, total, reached, delivered }: NoticeDetail) => [
      state,
      total,
      reached,
      delivered,
    ]
    const actsOn = async (noticeId: string) =>
      (await audited(world)).filter((it) => it.subject === noticeId).map((it) => it.act)

    test('a notice to 10,000 people, scheduled, stopped half way and resumed, reaches each of them once', async () => {
      await crowd(10_000)
      const people = (await run<{ n: number }>('select count(*)::int as n from users'))[0]?.n ?? 0
      const { id } = await desk.add()
      await desk.act(id, 'schedule', world.clock.now + HOUR)
      expect(await takeJobs(world, 'notice.fan-out')).toEqual([])
      world.clock.now += HOUR
      await runOtherJobs(world)
      expect(progress(await desk.read(id))).toEqual(['publishing', people, 0, 0])

      await runBatches(world, 10)
      expect(progress(await desk.read(id))).toEqual(['publishing', people, 5000, 5000])
      // The next batch is in the queue when the notice is stopped.
      await desk.act(id, 'stop')
      expect(await runBatches(world)).toBe(1)
      expect(progress(await desk.read(id))).toEqual(['stopped', people, 5000, 5000])
      expect(await notified(id)).toEqual({ n: 5000, people: 5000 })
      // Half of them have read it, which must not make it new to them.
      await run('update notifications set read_at = now() where target_id = $1 and user_id < $2', [
        id,
        '80000000-0000-0000-0000-000000000000',
      ])

      await desk.act(id, 'resume')
      await runBatches(world, 1)
      expect((await desk.read(id)).reached).toBe(5500)
      // A job that the queue repeats, and one of the sweep.
      await sweepNotices(world.deps)
      await fanOutNotice(world.deps, { subjectId: id, stretch: 0 })
      await runBatches(world)
      expect(progress(await desk.read(id))).toEqual(['published', people, people, people])
      expect(await notified(id)).toEqual({ n: people, people })
      expect(await actsOn(id)).toEqual([
        'notice.add',
        'notice.schedule',
        'notice.publish',
        'notice.stop',
        'notice.resume',
      ])
      await run(`delete from users where password_hash = ''`)
    }, 120_000)

    test('a stop waits for the batch that runs, and none begins after it', async () => {
      await crowd(600)
      const { id } = await desk.add()
      await desk.act(id, 'publish')
      const [first] = await takeJobs(world, 'notice.fan-out')
      if (!first) throw new Error('no batch was enqueued')
      await Promise.all([fanOutNotice(world.deps, first), desk.act(id, 'stop')])
      const { reached } = await desk.read(id)
      expect(await runBatches(world)).toBeLessThanOrEqual(1)
      expect((await desk.read(id)).reached).toBe(reached)
      expect(await notified(id)).toEqual({ n: reached, people: reached })
      await run(`delete from users where password_hash = ''`)
    })

    test('a scheduled notice is published at the time that was set last, once, by the server', async () => {
      const { id } = await desk.add()
      const reader = await signUp(world)
      await desk.act(id, 'schedule', world.clock.now + HOUR)
      const early = await takeJobs(world, 'notice.begin')
      await desk.act(id, 'schedule', world.clock.now + 3 * HOUR)
      world.clock.now += 2 * HOUR
      for (const it of early) await beginDue(world.deps, it.noticeId)
      expect([(await desk.read(id)).state, await notificationRowsOf(world, reader)]).toEqual([
        'scheduled',
        [],
      ])
      world.clock.now += HOUR
      // The job was lost: the sweep publishes it. A later job finds nothing to do.
      await sweepNotices(world.deps)
      await runOtherJobs(world)
      await runBatches(world)
      expect((await desk.read(id)).state).toBe('published')
      expect(await notificationsOf(world, reader)).toHaveLength(1)
      const published = (await audited(world)).find((it) => it.act === 'notice.publish' && it.subject === id)
      expect(published?.actor).toBe(NO_ID)
    })

    test('a schedule is taken back, and its job then publishes nothing', async () => {
      const { id } = await desk.add()
      await desk.act(id, 'schedule', world.clock.now + HOUR)
      await desk.act(id, 'unschedule')
      world.clock.now += HOUR
      await runOtherJobs(world)
      expect([(await desk.read(id)).state, (await desk.read(id)).published_at]).toEqual(['draft', null])
    })

    test('a job that comes a little early, by another clock, is enqueued again', async () => {
      const { id } = await desk.add()
      await desk.act(id, 'schedule', world.clock.now + HOUR)
      world.clock.now += HOUR - 1000
      await runOtherJobs(world)
      expect((await desk.read(id)).state).toBe('scheduled')
      expect(await takeJobs(world, 'notice.begin')).toEqual([{ noticeId: id }])
    })

    test('a withdrawn notice disappears from lists, counts, its page, and emails that wait', async () => {
      const reader = await signUp(world)
      await call(world, reader, 'PATCH', '/settings/notices', { mail: true })
      const id = await desk.published({ mails: true, is_urgent: true })
      expect(await emailsTo(world, reader.email)).toMatchObject([{ is: 'notice', text: '本文です。' }])
      const unread = await unreadOf(world, reader)
      await desk.act(id, 'withdraw')
      // Before the job has run:
      expect([await notificationsOf(world, reader), await unreadOf(world, reader)]).toEqual([[], unread - 1])
      expect(errorOf(await call(world, reader, 'GET', `/notices/${id}`)).code).toBe('not_found')
      expect((await call(world, reader, 'GET', '/notices/bars')).json()).toEqual({ bars: [], bar: null })
      expect(await emailsTo(world, reader.email)).toEqual([])
      await runOtherJobs(world)
      expect(await notified(id)).toEqual({ n: 0, people: 0 })
      expect(live.to(reader).at(-1)).toMatchObject({
        event: 'notifications.changed',
        data: { unread: unread - 1 },
      })
      expect(await runBatches(world)).toBe(0)
    })

    test('emails and pushes that were enqueued before a withdrawal are not made after it', async () => {
      const reader = await signUp(world)
      await call(world, reader, 'PATCH', '/settings/notices', { mail: true })
      const { id } = await desk.add({ mails: true })
      await desk.act(id, 'publish')
      await runBatches(world)
      await desk.act(id, 'withdraw')
      expect(await emailsTo(world, reader.email)).toEqual([])
    })

    test('of two people of staff who act on one state, the second is refused', async () => {
      const { id, revision } = await desk.add()
      const other = noticeDesk(world, await signUpStaff(world, 'admin'))
      await desk.change(id, { title: '別の題' })
      await identify(world, staff)
      const body = { act: 'publish', revision, at: null }
      const reply = await call(world, staff, 'POST', `/admin/notices/${id}/state`, body)
      expect(errorOf(reply).code).toBe('conflict')
      const both = await Promise.allSettled([desk.act(id, 'publish'), other.act(id, 'publish')])
      expect(both.map((it) => it.status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect((await actsOn(id)).filter((it) => it === 'notice.publish')).toHaveLength(1)
    })

    test('publishing, scheduling and resuming require a validation; stopping and withdrawing do not', async () => {
      const { id } = await desk.add()
      await desk.act(id, 'publish')
      const { id: draft } = await desk.add()
      const later = await signUpStaff(world)
      await run('update sessions set validated_at = null where user_id = $1', [later.id])
      const attempt = async (notice: string, act: string) => {
        const { revision } = await desk.read(notice)
        const at = new Date(world.clock.now + HOUR).toISOString()
        const reply = await call(world, later, 'POST', `/admin/notices/${notice}/state`, {
          act,
          revision,
          at,
        })
        return reply.statusCode === 200 ? 'done' : errorOf(reply).code
      }
      expect([
        await attempt(draft, 'publish'),
        await attempt(draft, 'schedule'),
        await attempt(id, 'stop'),
        await attempt(id, 'resume'),
        await attempt(id, 'withdraw'),
      ]).toEqual(['validation_required', 'validation_required', 'done', 'validation_required', 'done'])
    })

    test.each([
      ['a time that is over', 'schedule', -1, { at: 'too_small' }],
      ['no time', 'schedule', null, { at: 'required' }],
    ])('%s is refused', async (_, act, at, fields) => {
      const { id, revision } = await desk.add()
      const body = { act, revision, at: at === null ? null : new Date(world.clock.now + at).toISOString() }
      await identify(world, staff)
      const reply = await call(world, staff, 'POST', `/admin/notices/${id}/state`, body)
      expect(errorOf(reply)).toEqual({ code: 'invalid', fields })
    })

    test('a notice without words, and advertising without a named sender, are not published', async () => {
      await identify(world, staff)
      const empty = await desk.add({ body: ' \n' })
      const advertising = await desk.add({ is_advertising: true })
      const publish = async ({ id, revision }: NoticeDetail) =>
        errorOf(await call(world, staff, 'POST', `/admin/notices/${id}/state`, { act: 'publish', revision }))
          .fields
      expect(await publish(empty)).toEqual({ body: 'required' })
      expect(await publish(advertising)).toEqual({ is_advertising: 'required' })
      expect(errorOf(await call(world, staff, 'GET', `/admin/notices/${newId()}`)).code).toBe('not_found')
    })
  })
})
