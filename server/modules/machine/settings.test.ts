// Settings at runtime: their changes, history and effects.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { TUS_PATH } from '#contract/paths.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { admin, identify } from '#server/testing/people/identity.ts'
import { addPost, call, errorOf, type Member, signUp, tus } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { changeSettings } from './settings.ts'

const MiB = 1024 * 1024

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('settings at runtime', () => {
    let world: World
    let by: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      by = await admin(world)
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      await identify(world, by)
      await world.database.executeSql('delete from runtime_settings')
      world.deps.runtime.forget()
    })
    const change = (body: object, as = by) => call(world, as, 'POST', '/admin/settings', body)
    const history = async (cursor = '') =>
      (await call(world, by, 'GET', `/admin/settings/changes${cursor}`)).json()
    const entries = async () => {
      const { rows } = await world.database.executeSql(
        `select detail from audit_log where act = 'settings.change' order by seq`,
      )
      return rows.map((it) => (it as { detail: object }).detail)
    }

    test('a change has a history with old and new, and one entry with the names of the fields', async () => {
      const before = (await entries()).length
      const body = { registration: 'closed', posts_per_day: 3 }
      expect((await change(body)).json()).toMatchObject({ registration: 'closed' })
      expect(
        (await history()).changes
          .slice(0, 2)
          // Changes of one press have no order.
          .toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))
          .map(({ name, from, to, by: who }: never) => [name, from, to, who]),
      ).toEqual([
        ['posts_per_day', null, 3, { id: by.id, name: expect.any(String) }],
        ['registration', null, 'closed', { id: by.id, name: expect.any(String) }],
      ])
      expect((await entries()).slice(before)).toEqual([{ fields: ['registration', 'posts_per_day'] }])
      // The same values again change nothing.
      const { changes } = await history()
      expect(outcomeOf(await change(body))).toBe(200)
      expect([(await entries()).length, (await history()).changes]).toEqual([before + 1, changes])
      await change({ posts_per_day: null })
      expect((await history()).changes[0]).toMatchObject({ name: 'posts_per_day', from: 3, to: null })
    })

    test('the history has pages, and the database refuses to change it', async () => {
      for (let i = 1; i <= 31; i++) await change({ posts_per_day: i })
      const first = await history()
      expect(first.changes).toHaveLength(30)
      const next = await history(`?cursor=${first.next}`)
      expect(next.changes[0].to).toBe(1)
      for (const it of [
        'delete from runtime_setting_changes',
        'truncate runtime_setting_changes',
        `update runtime_setting_changes set to_value = '5'`,
      ])
        await expect(world.database.executeSql(it)).rejects.toThrow(/only added to/)
    })

    test('a change requires a validation, and is not done by an admin who loses the role meanwhile', async () => {
      await world.database.executeSql('update sessions set validated_at = null where user_id = $1', [by.id])
      expect(outcomeOf(await change({ registration: 'closed' }))).toBe('validation_required')
      const other = await admin(world)
      await world.database.executeSql(`update users set role = 'moderator' where id = $1`, [other.id])
      const late = changeSettings(world.deps, { registration: 'closed' }, { actorId: other.id, ip: '' })
      await expect(late).rejects.toMatchObject({ code: 'not_found' })
      expect((await call(world, by, 'GET', '/admin/settings')).json().registration).toBe('open')
    })

    const bar = {
      text: '計画メンテナンスのお知らせ',
      link: '/help',
      from: '2026-01-01T00:00:00.000Z',
      until: '2099-01-01T00:00:00.000Z',
    }
    test.each([
      [{ posts_per_day: 0 }, { posts_per_day: 'too_small' }],
      [{ upload_mib_member: 1025 }, { upload_mib_member: 'too_large' }],
      [{ comments_per_hour: 1.5 }, { comments_per_hour: 'malformed' }],
      [{ registration: 'ajar' }, { registration: 'malformed' }],
      [{ bar: { ...bar, text: ' ' } }, { 'bar.text': 'required' }],
      [{ bar: { ...bar, text: 'あ'.repeat(201) } }, { 'bar.text': 'too_long' }],
      [{ bar: { ...bar, link: '//evil.example' } }, { 'bar.link': 'malformed' }],
      [{ bar: { ...bar, link: '/\\evil.example' } }, { 'bar.link': 'malformed' }],
      [{ bar: { ...bar, link: 'https://evil.example' } }, { 'bar.link': 'malformed' }],
      [{ bar: { ...bar, link: 'javascript:alert(1)' } }, { 'bar.link': 'malformed' }],
      [{ bar: { ...bar, until: bar.from } }, { 'bar.until': 'too_small' }],
    ])('%j is refused with %j', async (body, fields) => {
      expect(errorOf(await change(body))).toEqual({ code: 'invalid', fields })
    })

    test('the bar is the same for visitors and members, and ends by its time', async () => {
      await change({ bar })
      const shown = async (as: Member | null) => (await call(world, as, 'GET', '/notices/bars')).json().bar
      const expected = { key: expect.any(String), text: bar.text, link: '/help' }
      expect([await shown(null), await shown(by)]).toEqual([expected, expected])
      await change({ bar: { ...bar, until: new Date(world.clock.now).toISOString() } })
      expect(await shown(null)).toBeNull()
    })

    const post = (as: Member, key: string = newId()) =>
      addPost(
        world,
        as,
        [
          ['type', '1'],
          ['content', '詩'],
        ],
        key,
      )
    test('posts of a day are limited for each person, and a repeated request is not counted', async () => {
      const [one, two] = [await signUp(world), await signUp(world)]
      await change({ posts_per_day: 2 })
      const key = newId()
      for (let i = 0; i < 3; i++) expect((await post(one, key)).statusCode).toBe(200)
      expect((await post(one)).statusCode).toBe(200)
      const refused = await post(one)
      expect([outcomeOf(refused), Number(refused.headers['retry-after']) > 86_000]).toEqual([
        'rate_limited',
        true,
      ])
      expect((await post(two)).statusCode).toBe(200)
      world.clock.now += 24 * 3600_000
      expect((await post(one)).statusCode).toBe(200)
    })

    test('follows of an hour are limited, and following the same person again is not counted', async () => {
      const [me, one, two] = [await signUp(world), await signUp(world), await signUp(world)]
      await change({ follows_per_hour: 1 })
      const follow = async (whom: Member) => outcomeOf(await call(world, me, 'PUT', `/follows/${whom.id}`))
      expect([await follow(one), await follow(one), await follow(two)]).toEqual([200, 200, 'rate_limited'])
    })

    test('comments and messages of an hour are limited', async () => {
      const [author, me] = [await signUp(world), await signUp(world)]
      await change({ comments_per_hour: 1, messages_per_hour: 1 })
      const id = (await post(author)).json().data[0].item.id as string
      await call(world, author, 'POST', `/post/release-uploaded/${id}`)
      const comment = async () =>
        outcomeOf(await call(world, me, 'POST', `/posts/${id}/comments`, { id: newId(), content: 'はい' }))
      expect([await comment(), await comment()]).toEqual([200, 'rate_limited'])
      const write = async () =>
        outcomeOf(
          await call(world, me, 'POST', `/conversations/${author.id}/messages`, {
            id: newId(),
            content: 'はい',
          }),
        )
      expect([await write(), await write()]).toEqual([200, 'rate_limited'])
    })

    test('a file above the limit of the sender’s role is refused, also when its length comes later', async () => {
      const me = await signUp(world)
      await change({ upload_mib_member: 1, upload_mib_staff: 3 })
      const begin = (as: Member, headers: Record<string, string>) =>
        world.app.inject({ method: 'POST', url: TUS_PATH, headers: { ...as.auth, ...tus, ...headers } })
      const sized = async (as: Member, bytes: number) =>
        (await begin(as, { 'upload-length': String(bytes) })).statusCode
      expect([await sized(me, MiB), await sized(me, MiB + 1)]).toEqual([201, 413])
      expect([await sized(by, 3 * MiB), await sized(by, 3 * MiB + 1)]).toEqual([201, 413])
      const deferred = await begin(me, { 'upload-defer-length': '1' })
      const announced = await world.app.inject({
        method: 'PATCH',
        url: String(deferred.headers.location),
        headers: {
          ...me.auth,
          ...tus,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': '0',
          'upload-length': String(MiB + 1),
        },
        payload: Buffer.from('x'),
      })
      expect(announced.statusCode).toBe(413)
    })

    test('the storage of a person is that of an admin', async () => {
      const me = await signUp(world)
      await change({ stored_gib: 2 })
      expect((await call(world, me, 'GET', '/user/storage')).json().limit).toBe(2 * 1024 ** 3)
    })
  })
})
