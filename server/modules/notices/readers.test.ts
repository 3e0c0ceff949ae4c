// What readers get of notices: audiences, the page, bars, counts, settings and advertising.
import { beforeAll, describe, expect, test } from 'vitest'
import type { AudienceBody } from '#contract/notices/admin-notices.ts'
import { newId } from '#contract/ids.ts'
import { addPlan, joinPlan } from '#server/store/plans/plans.ts'
import { noticeDesk, signUpStaff } from '#server/testing/notices/notices.ts'
import { emailsTo, takeJobs } from '#server/testing/people/emails.ts'
import { addPost, call, errorOf, type Member, postIdOf, signUp } from '#server/testing/people/members.ts'
import { notificationRowsOf, notificationsOf, unreadOf } from '#server/testing/people/notified.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepNotices } from './sweep.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('readers of notices', () => {
    let world: World
    let staff: Member
    let desk: ReturnType<typeof noticeDesk>
    beforeAll(async () => {
      const operator = {
        name: '株式会社とどけ',
        representative: null,
        address: '大阪市北区1-2-3',
        phone: null,
        email: 'info@todoke.example',
        invoice_number: null,
        effective_on: '2026-11-21',
        message_days: null,
      }
      world = await openWorld({ database: kind, settings: { operator } })
      staff = await signUpStaff(world)
      desk = noticeDesk(world, staff)
      return () => world.close()
    })

    const read = (who: Member | null, id: string) => call(world, who, 'GET', `/notices/${id}`)
    const codeFor = async (who: Member | null, id: string) => {
      const reply = await read(who, id)
      return reply.statusCode === 200 ? 'read' : errorOf(reply).code
    }
    const barsOf = async (who: Member | null): Promise<string[]> =>
      (await call(world, who, 'GET', '/notices/bars')).json().bars.map((it: { id: string }) => it.id)
    const settings = (who: Member, body: object) => call(world, who, 'PATCH', '/settings/notices', body)
    const nameBuild = (who: Member, build: string) => call(world, who, 'GET', `/auth/session?build=${build}`)

    /** Which of these people a notice to an audience reaches, and whether each of them can open it. */
    async function reached(audience: AudienceBody, people: Record<string, Member>) {
      const id = await desk.published({ audience })
      const got: string[] = []
      for (const [name, who] of Object.entries(people)) {
        const has = (await notificationRowsOf(world, who)).some((it) => it.target_id === id)
        if (has) got.push(name)
        expect([name, await codeFor(who, id)]).toEqual([name, has ? 'read' : 'not_found'])
      }
      const counted = await call(world, staff, 'POST', '/admin/notices/audience', { audience })
      return { got, people: counted.json().people }
    }

    test('each audience is of its people alone', async () => {
      const [creator, other, member, former] = [
        await signUp(world),
        await signUp(world),
        await signUp(world),
        await signUp(world),
      ]
      const post = postIdOf(
        await addPost(world, creator, [
          ['content', 'こんにちは'],
          ['type', '1'],
        ]),
      )
      await call(world, creator, 'POST', `/post/release-uploaded/${post}`)
      await world.database.executeSql(`update users set handle = 'hana_1' where id = $1`, [creator.id])
      const [plan, second] = [newId(), newId()]
      const createdAt = new Date(world.clock.now)
      for (const id of [plan, second])
        await addPlan(world.deps.db, { id, creatorId: creator.id, name: '応援', price: 500, createdAt })
      await joinPlan(world.deps.db, plan, member.id, world.clock.now)
      await joinPlan(world.deps.db, second, other.id, world.clock.now)
      await joinPlan(world.deps.db, plan, former.id, world.clock.now)
      await world.database.executeSql('update plan_members set ends_at = $2 where user_id = $1', [
        former.id,
        createdAt.toISOString(),
      ])
      const people = { creator, other, member, former, staff }
      expect((await reached({ is: 'all' }, people)).got).toEqual(Object.keys(people))
      expect(await reached({ is: 'creators' }, people)).toEqual({ got: ['creator'], people: 1 })
      expect(await reached({ is: 'staff' }, people)).toEqual({ got: ['staff'], people: 1 })
      const ofCreator = { is: 'members', creator: '@Hana_1', plan_id: null } as const
      expect(await reached(ofCreator, people)).toEqual({ got: ['other', 'member'], people: 2 })
      const ofPlan = { ...ofCreator, plan_id: plan }
      expect(await reached(ofPlan, people)).toEqual({ got: ['member'], people: 1 })
      const refused = async (audience: object) =>
        errorOf(await call(world, staff, 'POST', '/admin/notices/audience', { audience })).fields
      expect(await refused({ ...ofCreator, creator: 'unknown_1' })).toEqual({ creator: 'unknown_person' })
      expect(await refused({ ...ofCreator, creator: other.id, plan_id: plan })).toEqual({
        plan_id: 'unknown_plan',
      })
    })

    test('an audience by build is of people with a device on it, or on an older one', async () => {
      const [old, present, unnamed, wrong] = [
        await signUp(world),
        await signUp(world),
        await signUp(world),
        await signUp(world),
      ]
      await nameBuild(old, '202601010000')
      await nameBuild(present, '202611260900')
      expect((await nameBuild(wrong, 'latest')).statusCode).toBe(200)
      await world.database.executeSql(`update sessions set build = '202611260900' where user_id = $1`, [
        staff.id,
      ])
      const people = { old, present, unnamed, wrong, staff }
      const build = '202611260900'
      const older = await reached({ is: 'build', build, which: 'older' }, people)
      expect(older.got).toEqual(['old', 'unnamed', 'wrong'])
      const same = await reached({ is: 'build', build, which: 'same' }, people)
      expect(same).toEqual({ got: ['present', 'staff'], people: 2 })
      expect((await call(world, staff, 'GET', '/admin/notices/builds')).json().builds).toEqual([
        { build, people: 2 },
        { build: '202601010000', people: 1 },
      ])
      // A person who has updated since still opens what they got.
      const id = await desk.published({ audience: { is: 'build', build, which: 'older' } })
      await nameBuild(old, '202611270000')
      expect(await codeFor(old, id)).toBe('read')
    })

    test('a notice has its tree, its plain text and, once it is changed, when that was', async () => {
      const reader = await signUp(world)
      const id = await desk.published({
        title: '期間の変更',
        body: '**8月**から\n\n- [案内](https://a.example/)',
      })
      const publishedAt = new Date(world.clock.now).toISOString()
      const first = (await read(reader, id)).json()
      expect(first).toEqual({
        id,
        title: '期間の変更',
        body: '8月から\n\n・ 案内（https://a.example/）',
        content: [
          { is: 'paragraph', pieces: [{ text: '8月', bold: true }, { text: 'から' }] },
          { is: 'list', ordered: false, items: [[{ text: '案内', href: 'https://a.example/' }]] },
        ],
        picture: null,
        is_advertising: false,
        published_at: publishedAt,
        edited_at: null,
      })
      world.clock.now += 60_000
      await desk.change(id, { body: '9月から' })
      expect((await read(reader, id)).json()).toMatchObject({
        body: '9月から',
        published_at: publishedAt,
        edited_at: new Date(world.clock.now).toISOString(),
      })
      // The notification stays the one that it was, and is not new again.
      expect(await notificationsOf(world, reader)).toEqual(['とどけからのお知らせ「期間の変更」 → /notify'])
      // A change of the bar alone is no change of the words.
      const before = await desk.read(id)
      world.clock.now += 60_000
      expect((await desk.change(id, { is_urgent: true })).edited_at).toBe(before.edited_at)
      await desk.act(id, 'withdraw')
    })

    test('after the publication audience and channels stay, and a withdrawn notice does not change', async () => {
      const id = await desk.published()
      for (const change of [
        { audience: { is: 'staff' } as const },
        { mails: true },
        { is_advertising: true },
      ])
        await expect(desk.change(id, change)).rejects.toThrow('conflict')
      await expect(desk.change(id, { body: '' })).rejects.toThrow('required')
      await desk.act(id, 'withdraw')
      await expect(desk.change(id, { title: '別の題' })).rejects.toThrow('conflict')
    })

    test('drafts, and scheduled notices, are read by no reader', async () => {
      const reader = await signUp(world)
      const { id } = await desk.add({ is_urgent: true })
      expect(await codeFor(reader, id)).toBe('not_found')
      await desk.act(id, 'schedule', world.clock.now + DAY)
      expect([await codeFor(reader, id), await barsOf(reader)]).toEqual(['not_found', []])
      expect(await codeFor(null, id)).toBe('unauthenticated')
      await desk.act(id, 'unschedule')
    })

    test('readers are counted once each, by the day, and no reply names them', async () => {
      const [one, two, three] = [await signUp(world), await signUp(world), await signUp(world)]
      const id = await desk.published()
      world.clock.now = Date.parse('2026-12-01T14:59:00Z')
      const opens = (who: Member) => call(world, who, 'POST', `/notices/${id}/reading`)
      expect(await unreadOf(world, one)).toBe(1)
      for (const who of [one, one, two]) expect((await opens(who)).statusCode).toBe(200)
      expect(await unreadOf(world, one)).toBe(0)
      // Midnight in Asia/Tokyo.
      world.clock.now += 60_000
      for (const who of [one, three]) await opens(who)
      const detail = await desk.read(id)
      expect([detail.readers, detail.readers_by_day]).toEqual([
        3,
        [
          { day: '2026-12-01', readers: 2 },
          { day: '2026-12-02', readers: 1 },
        ],
      ])
      expect([one, two, three].filter((it) => JSON.stringify(detail).includes(it.id))).toEqual([])
      // Rows of persons are deleted after 90 days; the numbers stay.
      world.clock.now += 91 * DAY
      await sweepNotices(world.deps)
      const { rows } = await world.database.executeSql('select 1 from notice_marks where notice_id = $1', [
        id,
      ])
      expect([rows, (await desk.read(id)).readers]).toEqual([[], 3])
      expect(errorOf(await call(world, one, 'POST', `/notices/${newId()}/reading`)).code).toBe('not_found')
    })

    test('an urgent notice is a bar for its audience until it is closed or over; visitors get those for all', async () => {
      const [one, two] = [await signUp(world), await signUp(world)]
      const until = new Date(world.clock.now + DAY).toISOString()
      const forAll = await desk.published({ is_urgent: true, bar_until: until })
      const forStaff = await desk.published({ is_urgent: true, audience: { is: 'staff' } })
      await desk.published()
      expect([await barsOf(null), await barsOf(one), await barsOf(staff)]).toEqual([
        [forAll],
        [forAll],
        [forStaff, forAll],
      ])
      await call(world, one, 'POST', `/notices/${forAll}/close`)
      await call(world, one, 'POST', `/notices/${forAll}/reading`)
      expect([await barsOf(one), await barsOf(two)]).toEqual([[], [forAll]])
      expect(errorOf(await call(world, one, 'POST', `/notices/${forStaff}/close`)).code).toBe('not_found')
      world.clock.now += DAY
      expect([await barsOf(null), await barsOf(two), await barsOf(staff)]).toEqual([[], [], [forStaff]])
      await desk.act(forStaff, 'withdraw')
    })

    test('push and email go by the choice of the writer and of the reader', async () => {
      const [usual, mailed, silent] = [await signUp(world), await signUp(world), await signUp(world)]
      await settings(mailed, { mail: true })
      await settings(silent, { push: false })
      for (const who of [usual, mailed, silent])
        await world.database.executeSql(
          `insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at)
           select gen_random_uuid(), user_id, id, 'https://push.example/' || user_id, '', '', now() from sessions where user_id = $1`,
          [who.id],
        )
      const pushed = async () => {
        const jobs = await takeJobs(world, 'notification.push')
        const { rows } = await world.database.executeSql(
          'select user_id as id from notifications where id = any($1::uuid[])',
          [jobs.map((it) => it.notificationId)],
        )
        const ids = new Set((rows as { id: string }[]).map((it) => it.id))
        return [usual, mailed, silent].filter((it) => ids.has(it.id))
      }
      await desk.published({ pushes: true, mails: true })
      expect(await pushed()).toEqual([usual, mailed])
      expect([await emailsTo(world, usual.email), await emailsTo(world, mailed.email)]).toMatchObject([
        [],
        [{ is: 'notice', title: '振込日のお知らせ', advertising: null }],
      ])
      await desk.published({ pushes: false, mails: false })
      expect([await pushed(), (await emailsTo(world, mailed.email)).length]).toEqual([[], 1])
      expect(await unreadOf(world, silent)).toBe(2)
    })

    test('advertising is in every list, and is mailed to people with a consent alone', async () => {
      const [consenting, mailed] = [await signUp(world), await signUp(world)]
      expect((await call(world, consenting, 'GET', '/settings/notices')).json()).toEqual({
        push: true,
        mail: false,
        advertising: false,
        advertising_since: null,
      })
      const since = new Date(world.clock.now).toISOString()
      expect((await settings(consenting, { advertising: true })).json().advertising_since).toBe(since)
      await settings(mailed, { mail: true })
      await desk.published({ title: '夏の贈りもの', is_advertising: true, mails: true })
      expect(await emailsTo(world, mailed.email)).toEqual([])
      expect(await emailsTo(world, consenting.email)).toMatchObject([
        {
          advertising: {
            sender: '株式会社とどけ',
            address: '大阪市北区1-2-3',
            contact: 'info@todoke.example',
          },
        },
      ])
      expect(await notificationsOf(world, mailed)).toEqual([
        'とどけからのお知らせ「【広告】夏の贈りもの」 → /notify',
      ])
      // Withdrawn after the batch, before the email was made:
      const other = await signUp(world)
      await settings(other, { advertising: true })
      await desk.published({ is_advertising: true, mails: true })
      await settings(other, { advertising: false })
      expect(await emailsTo(world, other.email)).toEqual([])
      expect((await settings(other, { push: false })).json().advertising_since).toBeNull()
    })

    test('an advertising email is stopped by its address without a session, by POST alone', async () => {
      const reader = await signUp(world)
      await settings(reader, { advertising: true })
      await desk.published({ is_advertising: true, mails: true })
      const [email] = await emailsTo(world, reader.email)
      const url = email?.is === 'notice' ? (email.advertising?.unsubscribeUrl ?? '') : ''
      const path = new URL(url).pathname.replace('/api', '')
      const consents = async () => (await call(world, reader, 'GET', '/settings/notices')).json().advertising
      const offered = await call(world, null, 'GET', path)
      expect([offered.statusCode, offered.body.includes('配信を停止する'), await consents()]).toEqual([
        200,
        true,
        true,
      ])
      expect((await call(world, null, 'POST', `${path}x`)).statusCode).toBe(404)
      expect(await consents()).toBe(true)
      // As a mail program sends it (RFC 8058).
      const sent = await world.app.inject({
        method: 'POST',
        url: new URL(url).pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
      expect([sent.statusCode, await consents()]).toEqual([200, false])
    })
  })
})
