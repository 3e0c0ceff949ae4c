// Profiles: content, handles, the view of blocked people, and suggestions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import {
  addPost,
  call,
  errorOf,
  type Member,
  postIdOf,
  identify,
  signUp,
} from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('profiles', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const defaults = { name: '汐見はる', handle: '', bio: '', links: [] as string[] }
    const save = (by: Member, changes: object) =>
      call(world, by, 'PUT', '/profile', { ...defaults, ...changes })
    const profileOf = (of: Member, by: Member | null) => call(world, by, 'GET', `/users/${of.id}`)
    const publish = async (by: Member) => {
      const id = postIdOf(
        await addPost(
          world,
          by,
          [
            ['content', 'こんにちは'],
            ['type', '1'],
          ],
          newId(),
        ),
      )
      await call(world, by, 'POST', `/post/release-uploaded/${id}`)
      return id
    }

    test('a column that is no field of the request cannot be set by it', async () => {
      const me = await signUp(world)
      const row = 'select role, email, birth_date::text from users where id = $1'
      const before = (await world.database.executeSql(row, [me.id])).rows
      const forged = { role: 'admin', email: 'a@b.example', birthDate: '1950-01-01' }
      expect((await save(me, { ...forged, bio: '海' })).statusCode).toBe(200)
      expect((await world.database.executeSql(row, [me.id])).rows).toEqual(before)
    })

    test('others see the saved profile, with folded widths and normalized line ends', async () => {
      const [me, other] = [await signUp(world), await signUp(world)]
      await save(other, { handle: 'minato_1' })
      const reply = await save(me, {
        name: ' 汐見はる ',
        handle: '＠Ｈａｒｕ＿sea',
        bio: '海辺の町で絵を描いています。\r\n@minato_1 と @nobody_here',
        links: ['ｈｔｔｐｓ：／／example.com/haru'],
      })
      expect(reply.statusCode).toBe(200)
      expect((await profileOf(me, other)).json()).toMatchObject({
        name: '汐見はる',
        handle: 'haru_sea',
        bio: '海辺の町で絵を描いています。\n@minato_1 と @nobody_here',
        mentions: [{ handle: 'minato_1', id: other.id }],
        links: ['https://example.com/haru'],
      })
    })

    test('a handle belongs to one person, whatever its case, and reserved handles are refused', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      const free = async (by: Member, handle: string) =>
        (await call(world, by, 'GET', `/profile/handle?handle=${handle}`)).json().free
      await save(one, { handle: 'umi_no_asa' })
      const taken = { code: 'invalid', fields: { handle: 'taken' } }
      expect(errorOf(await save(other, { handle: 'UMI_no_asa' }))).toEqual(taken)
      expect(errorOf(await save(other, { handle: 'todoke' })).fields).toEqual({ handle: 'reserved' })
      expect([await free(other, 'umi_no_asa'), await free(one, 'umi_no_asa')]).toEqual([false, true])
      expect([await free(other, 'admin'), await free(other, 'umi_no_yoru')]).toEqual([false, true])
      expect((await save(one, { handle: '' })).json().handle).toBeNull()
      expect((await save(other, { handle: 'umi_no_asa' })).json().handle).toBe('umi_no_asa')
    })

    test('of three simultaneous requests for the same handle one succeeds', async () => {
      const people = [await signUp(world), await signUp(world), await signUp(world)]
      const replies = await Promise.all(people.map((it) => save(it, { handle: 'hayai_mono' })))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 422, 422])
    })

    test.each([
      ['a handle with other characters', { handle: 'はる' }, { handle: 'handle' }],
      ['a handle that is too short', { handle: 'ab' }, { handle: 'handle' }],
      ['a link that is not https', { links: ['http://example.com'] }, { 'links.0': 'https_url' }],
      [
        'a sixth link',
        { links: Array.from({ length: 6 }, (_, n) => `https://a.example/${n}`) },
        { links: 'too_long' },
      ],
      ['a bio of 401 characters', { bio: '👩‍👩‍👧'.repeat(401) }, { bio: 'too_long' }],
      ['a blank name', { name: '　' }, { name: 'required' }],
    ])('%s is refused at its field', async (_, changes, fields) => {
      expect(errorOf(await save(await signUp(world), changes))).toEqual({ code: 'invalid', fields })
    })

    test('a blocked person gets not_found; the blocker sees only the name and the block', async () => {
      const [blocker, blocked] = [await signUp(world), await signUp(world)]
      await save(blocked, { bio: 'ひみつ', handle: 'himitsu_desu', links: ['https://example.com'] })
      await call(world, blocker, 'PUT', `/blocks/${blocked.id}`)
      const hidden = await profileOf(blocker, blocked)
      const unknown = await profileOf({ ...blocker, id: newId() }, blocked)
      expect([hidden.statusCode, hidden.json()]).toEqual([404, unknown.json()])
      expect((await profileOf(blocked, blocker)).json()).toMatchObject({
        name: '汐見はる',
        bio: '',
        links: [],
        relation: { blocked: true },
      })
      expect((await profileOf(blocked, blocker)).body).not.toContain('ひみつ')
    })

    test('a creator’s posts are listed by type, and their profile has their plans', async () => {
      const creator = await identify(world, await signUp(world))
      const open = await publish(creator)
      const plan = newId()
      await world.database.executeSql(
        `insert into plans (id, creator_id, name, price, created_at) values ($1, $2, '朝', 500, now())`,
        [plan, creator.id],
      )
      const gated = postIdOf(
        await addPost(
          world,
          creator,
          [
            ['content', '海'],
            ['type', '2'],
            ['plan_id[]', plan],
          ],
          newId(),
        ),
      )
      await call(world, creator, 'POST', `/post/release-uploaded/${gated}`)
      const ids = async (query: string) =>
        (await call(world, creator, 'GET', `/posts?author=${creator.id}${query}`))
          .json()
          .posts.map((it: { id: string }) => it.id)
      expect((await ids('')).toSorted()).toEqual([open, gated].toSorted())
      expect([await ids('&type=1'), await ids('&type=2'), await ids('&type=3')]).toEqual([
        [open],
        [gated],
        [],
      ])
      expect((await profileOf(creator, await signUp(world))).json()).toMatchObject({
        post_count: 2,
        plans: [{ id: plan, name: '朝', price: 500 }],
      })
    })

    test('suggestions start with people whom followed people follow, and omit muted and blocking ones', async () => {
      const me = await signUp(world)
      const suggested = async () =>
        (await call(world, me, 'GET', '/people/suggested')).json().people.map((it: { id: string }) => it.id)
      const [followed, followedByFollowed, withoutPosts, muted, blocker] = [
        await signUp(world),
        await signUp(world),
        await signUp(world),
        await signUp(world),
        await signUp(world),
      ]
      for (const it of [followed, followedByFollowed, muted, blocker]) await publish(it)
      await call(world, me, 'PUT', `/follows/${followed.id}`)
      await call(world, followed, 'PUT', `/follows/${followedByFollowed.id}`)
      await call(world, me, 'PUT', `/mutes/${muted.id}`)
      await call(world, blocker, 'PUT', `/blocks/${me.id}`)
      const ids = await suggested()
      expect(ids[0]).toBe(followedByFollowed.id)
      for (const it of [me, followed, withoutPosts, muted, blocker]) expect(ids).not.toContain(it.id)
      await call(world, me, 'DELETE', `/mutes/${muted.id}`)
      expect(await suggested()).toContain(muted.id)
    })
  })
})
