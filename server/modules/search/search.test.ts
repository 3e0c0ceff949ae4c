// Searching as people do it: posts and people by their words, filters, pages, suggestions, and what many look for.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { ListedPerson } from '#contract/people/people.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { addBlock, removeBlock } from '#server/store/people/blocks.ts'
import {
  addPost,
  call,
  errorOf,
  type Member,
  postIdOf,
  identify,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { reindexPerson, reindexPost } from '#server/services/search/search-index.ts'
import { indexRest } from './index-rest.ts'
import { forgetSearches, MANY, WORDS_LIFE } from './trending.ts'

const HOUR = 3600_000
const MINUTE = 60_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('search', () => {
    let world: World
    let creator: Member
    let fan: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      creator = await identify(world, await signUp(world))
      fan = await signUp(world)
    })
    afterAll(() => world.close())

    const get = (path: string, q: string, as: Member = fan) =>
      call(world, as, 'GET', `/search/${path}?q=${encodeURIComponent(q)}`)
    const post = async (content: string, more: readonly (readonly [string, string])[] = [['type', '1']]) => {
      const fields = [['content', content], ...more] as const
      const id = postIdOf(await addPost(world, creator, fields, newId()))
      world.clock.now += 1000
      await call(world, creator, 'POST', `/post/release-uploaded/${id}`)
      return id
    }
    const found = async (q: string, filters = '', as: Member = fan) => {
      const reply = await call(world, as, 'GET', `/search/posts?q=${encodeURIComponent(q)}${filters}`)
      return reply.json<{ posts: PostView[] }>().posts.map((it) => it.id)
    }
    const called = async (q: string, as: Member = fan) =>
      (await get('people', q, as)).json<{ people: ListedPerson[] }>().people.map((it) => it.id)
    const describePerson = async (it: Member, name: string, handle: string | null, bio: string) => {
      await world.deps.db.execute(
        sql`update users set name = ${name}, handle = ${handle}, bio = ${bio} where id = ${it.id}`,
      )
      await reindexPerson(world.deps.db, it.id)
    }

    test('a released post is found in any spelling, by one character too, and not before its release', async () => {
      const id = await post('京都の ﾗｰﾒﾝ と𠮷野家 #夜ごはん')
      for (const q of ['らーめん', 'ラーメン', '京都　ラ〜メン', '𠮷', '家', '#夜ごはん'])
        expect([q, await found(q)]).toEqual([q, [id]])
      for (const q of ['大阪', 'ラーメン 大阪', '#夜', "'; --", '%', '_', "\\'", '!|&()*:']) {
        expect([q, await found(q)]).toEqual([q, []])
      }
      await addPost(world, creator, [
        ['content', 'まだのラーメン'],
        ['type', '1'],
      ])
      expect(await found('まだの')).toEqual([])
    })

    test('filters by type, by what is in it and by age', async () => {
      const words = await post('ふるいにかける')
      const image = await upload(world, creator, await jpeg(), 'a.jpg')
      const picture = await post('ふるいにかける', [
        ['type', '1'],
        ['has_image_file[]', image],
      ])
      const priced = await post('ふるいにかける', [
        ['type', '3'],
        ['price', '300'],
      ])
      expect(await found('ふるい')).toEqual([picture, words])
      expect(await found('ふるい', '', creator)).toEqual([priced, picture, words])
      expect(await found('ふるい', '&media=image')).toEqual([picture])
      expect(await found('ふるい', '&media=text')).toEqual([words])
      expect(await found('ふるい', '&media=video')).toEqual([])
      expect(await found('ふるい', '&type=1')).toHaveLength(2)
      expect(await found('ふるい', '&type=3')).toEqual([])
      expect(await found('ふるい', '&type=3', creator)).toEqual([priced])
      world.clock.now += 25 * HOUR
      expect(await found('ふるい', '&period=day')).toEqual([])
      expect(await found('ふるい', '&period=week')).toHaveLength(2)
      world.clock.now += 30 * 24 * HOUR
      expect(await found('ふるい', '&period=month')).toEqual([])
      expect(await found('ふるい')).toHaveLength(2)
    })

    test('pages through everything once', async () => {
      const ids: string[] = []
      for (let i = 0; i < 45; i++) ids.unshift(await post(`めくるページ ${i}`))
      const seen: string[][] = []
      for (let next: string | null = ''; next !== null;) {
        const cursor: string = next === '' ? '' : `&cursor=${next}`
        const reply = await call(
          world,
          fan,
          'GET',
          `/search/posts?q=${encodeURIComponent('めくる')}${cursor}`,
        )
        const page = reply.json<{ posts: PostView[]; next: string | null }>()
        seen.push(page.posts.map((it) => it.id))
        next = page.next
      }
      expect(seen.map((it) => it.length)).toEqual([10, 20, 15])
      expect(seen.flat()).toEqual(ids)
    })

    test('what is changed is found by its new words alone, what is deleted by none', async () => {
      const { db } = world.deps
      const id = await post('はじめの言葉')
      await db.execute(sql`update posts set content = 'あとの文句' where id = ${id}`)
      await reindexPost(db, id)
      expect([await found('はじめの'), await found('文句')]).toEqual([[], [id]])
      await db.execute(sql`update posts set deleted_at = now() where id = ${id}`)
      expect(await found('文句')).toEqual([])
      await reindexPost(db, id)
      expect(await db.execute(sql`select 1 from post_search where post_id = ${id}`)).toMatchObject({
        rows: [],
      })
    })

    test('people are found by handle, name and biography, the nearest first', async () => {
      const [exact, starts, holds, says] = [
        await signUp(world),
        await signUp(world),
        await signUp(world),
        await signUp(world),
      ]
      await describePerson(says, 'べつの人', null, 'みおさんのファンです')
      await describePerson(holds, '青山みお', null, '')
      await describePerson(starts, 'みおつくし', 'mio_tsukushi', '')
      await describePerson(exact, 'ミオ', 'mio', '海を撮る')
      expect(await called('みお')).toEqual([exact.id, starts.id, holds.id, says.id])
      expect(await called('@mio')).toEqual([exact.id, starts.id])
      expect(await called('ＭＩＯ＿')).toEqual([starts.id])
      await describePerson(holds, '青山はる', null, '')
      expect(await called('みお')).toEqual([exact.id, starts.id, says.id])
      const typing = (await get('suggestions', 'みお')).json<{ people: ListedPerson[] }>()
      expect(typing.people.map((it) => it.id)).toEqual([exact.id, starts.id])
    })

    test('whoever is apart is found by neither', async () => {
      const { db } = world.deps
      const other = await signUp(world)
      await describePerson(other, 'とおい人', null, '')
      expect(await called('とおい')).toEqual([other.id])
      await addBlock(db, other.id, fan.id, world.clock.now)
      expect(await called('とおい')).toEqual([])
      await removeBlock(db, other.id, fan.id)
      await addBlock(db, fan.id, other.id, world.clock.now)
      expect(await called('とおい')).toEqual([])
      await removeBlock(db, fan.id, other.id)
      await db.execute(sql`update users set suspended_at = now() where id = ${other.id}`)
      expect(await called('とおい')).toEqual([])
    })

    test('a change of name by its person is found from then on', async () => {
      const other = await signUp(world)
      const body = { name: '改名した鳥', birth_date: '1990-04-01', legal_name: '', legal_name_kana: '' }
      const reply = await call(world, other, 'PUT', '/auth/info', body)
      expect(reply.statusCode).toBe(200)
      expect(await called('改名した')).toEqual([other.id])
    })

    test('what was there before is made findable by the job, once', async () => {
      const id = await post('むかしからある')
      const { db } = world.deps
      await db.execute(sql`delete from post_search`)
      await db.execute(sql`delete from person_search`)
      expect(await found('むかし')).toEqual([])
      await indexRest(world.deps)
      expect(await found('むかし')).toEqual([id])
      expect(await called('みお')).not.toEqual([])
    })

    test('refuses a search of nothing, one too long, and a place that is none', async () => {
      expect(errorOf(await get('posts', '　'))).toEqual({ code: 'invalid', fields: { q: 'required' } })
      expect(errorOf(await get('posts', 'あ'.repeat(101)))).toEqual({
        code: 'invalid',
        fields: { q: 'too_long' },
      })
      const wrong = await call(world, fan, 'GET', '/search/posts?q=a&cursor=bm8')
      expect(errorOf(wrong)).toEqual({ code: 'invalid', fields: { cursor: 'malformed' } })
      expect(await found('\u0000\u200d')).toEqual([])
    })

    test('a word is shown to others when many different people searched for it, for three days', async () => {
      await post('きんもくせいの香り')
      const people = await Promise.all(Array.from({ length: MANY }, () => signUp(world)))
      const words = async () => {
        world.clock.now += MINUTE
        return (await call(world, fan, 'GET', '/search/trending')).json<{ words: string[] }>().words
      }
      for (const it of people.slice(1)) for (let i = 0; i < 3; i++) await found('きんもくせい', '', it)
      expect(await words()).not.toContain('きんもくせい')
      await found('キンモクセイ', '', people[0])
      expect(await words()).toContain('きんもくせい')
      expect((await get('suggestions', 'キンモ')).json()).toMatchObject({ words: ['きんもくせい'] })
      expect((await get('suggestions', 'もくせい')).json()).toMatchObject({ words: [] })
      const kept = JSON.stringify(await world.deps.db.execute(sql`select * from searched_words`))
      expect(kept).toContain('キンモクセイ')
      for (const it of people) expect(kept).not.toContain(it.id)
      world.clock.now += WORDS_LIFE
      expect(await words()).toEqual([])
      await forgetSearches(world.deps)
      expect(await world.deps.db.execute(sql`select word from searched_words`)).toMatchObject({ rows: [] })
    })
  })
})
