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

    const told = { name: '汐見はる', handle: '', bio: '', links: [] as string[] }
    const tell = (by: Member, changes: object) => call(world, by, 'PUT', '/profile', { ...told, ...changes })
    const seen = (of: Member, by: Member | null) => call(world, by, 'GET', `/users/${of.id}`)
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

    test('what one tells of oneself is what others see, widths folded and line ends counted once', async () => {
      const [me, other] = [await signUp(world), await signUp(world)]
      await tell(other, { handle: 'minato_1' })
      const reply = await tell(me, {
        name: ' 汐見はる ',
        handle: '＠Ｈａｒｕ＿sea',
        bio: '海辺の町で絵を描いています。\r\n@minato_1 と @nobody_here',
        links: ['ｈｔｔｐｓ：／／example.com/haru'],
      })
      expect(reply.statusCode).toBe(200)
      expect((await seen(me, other)).json()).toMatchObject({
        name: '汐見はる',
        handle: 'haru_sea',
        bio: '海辺の町で絵を描いています。\n@minato_1 と @nobody_here',
        mentions: [{ handle: 'minato_1', id: other.id }],
        links: ['https://example.com/haru'],
      })
    })

    test('a handle belongs to one person, whatever its case, and reserved ones to nobody', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      const free = async (by: Member, handle: string) =>
        (await call(world, by, 'GET', `/profile/handle?handle=${handle}`)).json().free
      await tell(one, { handle: 'umi_no_asa' })
      const taken = { code: 'invalid', fields: { handle: 'taken' } }
      expect(errorOf(await tell(other, { handle: 'UMI_no_asa' }))).toEqual(taken)
      expect(errorOf(await tell(other, { handle: 'todoke' })).fields).toEqual({ handle: 'reserved' })
      expect([await free(other, 'umi_no_asa'), await free(one, 'umi_no_asa')]).toEqual([false, true])
      expect([await free(other, 'admin'), await free(other, 'umi_no_yoru')]).toEqual([false, true])
      expect((await tell(one, { handle: '' })).json().handle).toBeNull()
      expect((await tell(other, { handle: 'umi_no_asa' })).json().handle).toBe('umi_no_asa')
    })

    test('of two who want the same handle at once one gets it', async () => {
      const people = [await signUp(world), await signUp(world), await signUp(world)]
      const replies = await Promise.all(people.map((it) => tell(it, { handle: 'hayai_mono' })))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 422, 422])
    })

    test.each([
      ['a handle with other signs', { handle: 'はる' }, { handle: 'handle' }],
      ['a handle too short', { handle: 'ab' }, { handle: 'handle' }],
      ['a link that is not https', { links: ['http://example.com'] }, { 'links.0': 'https_url' }],
      [
        'a sixth link',
        { links: Array.from({ length: 6 }, (_, n) => `https://a.example/${n}`) },
        { links: 'too_long' },
      ],
      ['401 letters, as people count them', { bio: '👩‍👩‍👧'.repeat(401) }, { bio: 'too_long' }],
      ['no name', { name: '　' }, { name: 'required' }],
    ])('%s is refused at its field', async (_, changes, fields) => {
      expect(errorOf(await tell(await signUp(world), changes))).toEqual({ code: 'invalid', fields })
    })

    test('who is blocked sees what one sees of nobody; the blocker sees a name and that they did it', async () => {
      const [blocker, blocked] = [await signUp(world), await signUp(world)]
      await tell(blocked, { bio: 'ひみつ', handle: 'himitsu_desu', links: ['https://example.com'] })
      await call(world, blocker, 'PUT', `/blocks/${blocked.id}`)
      const [apart, nobody] = [await seen(blocker, blocked), await seen({ ...blocker, id: newId() }, blocked)]
      expect([apart.statusCode, apart.json()]).toEqual([404, nobody.json()])
      expect((await seen(blocked, blocker)).json()).toMatchObject({
        name: '汐見はる',
        bio: '',
        links: [],
        relation: { blocked: true },
      })
      expect((await seen(blocked, blocker)).body).not.toContain('ひみつ')
    })

    test('a creator’s posts are listed by type, and their plans stand on the profile', async () => {
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
      expect((await seen(creator, await signUp(world))).json()).toMatchObject({
        post_count: 2,
        plans: [{ id: plan, name: '朝', price: 500 }],
      })
    })

    test('suggested are creators one does not follow, those one’s people follow first; nobody muted or apart', async () => {
      const me = await signUp(world)
      const suggested = async () =>
        (await call(world, me, 'GET', '/people/suggested')).json().people.map((it: { id: string }) => it.id)
      const [friend, near, silent, muted, apart] = [
        await signUp(world),
        await signUp(world),
        await signUp(world),
        await signUp(world),
        await signUp(world),
      ]
      for (const it of [friend, near, muted, apart]) await publish(it)
      await call(world, me, 'PUT', `/follows/${friend.id}`)
      await call(world, friend, 'PUT', `/follows/${near.id}`)
      await call(world, me, 'PUT', `/mutes/${muted.id}`)
      await call(world, apart, 'PUT', `/blocks/${me.id}`)
      const ids = await suggested()
      expect(ids[0]).toBe(near.id)
      for (const it of [me, friend, silent, muted, apart]) expect(ids).not.toContain(it.id)
      await call(world, me, 'DELETE', `/mutes/${muted.id}`)
      expect(await suggested()).toContain(muted.id)
    })
  })
})
