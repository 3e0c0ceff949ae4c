// Search: posts and people by words, filters, pages, suggestions, and trending words.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { ListedPerson } from '#contract/people/people.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { FOLDING } from '#contract/text/fold.ts'
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
import { listOutdatedPeople, listOutdatedPosts, lockRemaking } from '#server/store/search/search-index.ts'
import { reindexPerson, reindexPost } from '#server/services/search/search-index.ts'
import { indexMissing } from './index-missing.ts'
import { removeOldSearches, MIN_SEARCHERS, SEARCH_LIFETIME_MS } from './trending.ts'

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
    const searchPosts = async (q: string, filters = '', as: Member = fan) => {
      const reply = await call(world, as, 'GET', `/search/posts?q=${encodeURIComponent(q)}${filters}`)
      return reply.json<{ posts: PostView[] }>().posts.map((it) => it.id)
    }
    const searchPeople = async (q: string, as: Member = fan) =>
      (await get('people', q, as)).json<{ people: ListedPerson[] }>().people.map((it) => it.id)
    const describePerson = async (it: Member, name: string, handle: string | null, bio: string) => {
      await world.deps.db.execute(
        sql`update users set name = ${name}, handle = ${handle}, bio = ${bio} where id = ${it.id}`,
      )
      await reindexPerson(world.deps.db, it.id)
    }

    test('a released post is found in any spelling and by one character, an unreleased one is not', async () => {
      const id = await post('京都の ﾗｰﾒﾝ と𠮷野家 #夜ごはん')
      for (const q of ['らーめん', 'ラーメン', '京都　ラ〜メン', '𠮷', '家', '#夜ごはん'])
        expect([q, await searchPosts(q)]).toEqual([q, [id]])
      for (const q of ['大阪', 'ラーメン 大阪', '#夜', "'; --", '%', '_', "\\'", '!|&()*:']) {
        expect([q, await searchPosts(q)]).toEqual([q, []])
      }
      await addPost(world, creator, [
        ['content', 'まだのラーメン'],
        ['type', '1'],
      ])
      expect(await searchPosts('まだの')).toEqual([])
    })

    test('posts are filtered by type, by media and by age', async () => {
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
      expect(await searchPosts('ふるい')).toEqual([picture, words])
      expect(await searchPosts('ふるい', '', creator)).toEqual([priced, picture, words])
      expect(await searchPosts('ふるい', '&media=image')).toEqual([picture])
      expect(await searchPosts('ふるい', '&media=text')).toEqual([words])
      expect(await searchPosts('ふるい', '&media=video')).toEqual([])
      expect(await searchPosts('ふるい', '&type=1')).toHaveLength(2)
      expect(await searchPosts('ふるい', '&type=3')).toEqual([])
      expect(await searchPosts('ふるい', '&type=3', creator)).toEqual([priced])
      world.clock.now += 25 * HOUR
      expect(await searchPosts('ふるい', '&period=day')).toEqual([])
      expect(await searchPosts('ふるい', '&period=week')).toHaveLength(2)
      world.clock.now += 30 * 24 * HOUR
      expect(await searchPosts('ふるい', '&period=month')).toEqual([])
      expect(await searchPosts('ふるい')).toHaveLength(2)
    })

    test('the pages of a search have every post once', async () => {
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

    test('a changed post is found only by its new words, a deleted post by none', async () => {
      const { db } = world.deps
      const id = await post('はじめの言葉')
      await db.execute(sql`update posts set content = 'あとの文句' where id = ${id}`)
      await reindexPost(db, id)
      expect([await searchPosts('はじめの'), await searchPosts('文句')]).toEqual([[], [id]])
      await db.execute(sql`update posts set deleted_at = now() where id = ${id}`)
      expect(await searchPosts('文句')).toEqual([])
      await reindexPost(db, id)
      expect(await db.execute(sql`select 1 from post_search where post_id = ${id}`)).toMatchObject({
        rows: [],
      })
    })

    test('people are found by handle, name and biography, the best match first', async () => {
      const [exact, starts, contains, inBiography] = [
        await signUp(world),
        await signUp(world),
        await signUp(world),
        await signUp(world),
      ]
      await describePerson(inBiography, 'べつの人', null, 'みおさんのファンです')
      await describePerson(contains, '青山みお', null, '')
      await describePerson(starts, 'みおつくし', 'mio_tsukushi', '')
      await describePerson(exact, 'ミオ', 'mio', '海を撮る')
      expect(await searchPeople('みお')).toEqual([exact.id, starts.id, contains.id, inBiography.id])
      expect(await searchPeople('@mio')).toEqual([exact.id, starts.id])
      expect(await searchPeople('ＭＩＯ＿')).toEqual([starts.id])
      await describePerson(contains, '青山はる', null, '')
      expect(await searchPeople('みお')).toEqual([exact.id, starts.id, inBiography.id])
      const suggestions = (await get('suggestions', 'みお')).json<{ people: ListedPerson[] }>()
      expect(suggestions.people.map((it) => it.id)).toEqual([exact.id, starts.id])
    })

    test('members with a block in either direction and suspended members are not found', async () => {
      const { db } = world.deps
      const other = await signUp(world)
      await describePerson(other, 'とおい人', null, '')
      expect(await searchPeople('とおい')).toEqual([other.id])
      await addBlock(db, other.id, fan.id, world.clock.now)
      expect(await searchPeople('とおい')).toEqual([])
      await removeBlock(db, other.id, fan.id)
      await addBlock(db, fan.id, other.id, world.clock.now)
      expect(await searchPeople('とおい')).toEqual([])
      await removeBlock(db, fan.id, other.id)
      await db.execute(sql`update users set suspended_at = now() where id = ${other.id}`)
      expect(await searchPeople('とおい')).toEqual([])
    })

    test('a member who changes their name is found by the new name', async () => {
      const other = await signUp(world)
      const body = { name: '改名した鳥', birth_date: '1990-04-01', legal_name: '', legal_name_kana: '' }
      const reply = await call(world, other, 'PUT', '/auth/info', body)
      expect(reply.statusCode).toBe(200)
      expect(await searchPeople('改名した')).toEqual([other.id])
    })

    test('the job indexes posts and people without an index entry', async () => {
      const id = await post('むかしからある')
      const { db } = world.deps
      await db.execute(sql`delete from post_search`)
      await db.execute(sql`delete from person_search`)
      expect(await searchPosts('むかし')).toEqual([])
      await indexMissing(world.deps)
      expect(await searchPosts('むかし')).toEqual([id])
      expect(await searchPeople('みお')).not.toEqual([])
    })

    const entryOf = async (postId: string) => {
      const { rows } = await world.database.executeSql(
        'select folded, folding from post_search where post_id = $1',
        [postId],
      )
      return rows[0] as { folded: string; folding: number } | undefined
    }

    test('the job makes entries of an earlier folding again, and no others', async () => {
      const ids = [await post('髙橋さんの #トロピカル〜ジュ')]
      for (let count = 0; count < 3; count++) ids.unshift(await post(`髙橋さん ${count}`))
      const { db } = world.deps
      await db.execute(sql`update post_search set folding = 1, folded = '', grams = ''`)
      await db.execute(sql`update person_search set folding = 1, folded = '', grams = '', name = ''`)
      const kept = await post('そのまま')
      await db.execute(
        sql`update post_search set folding = ${-FOLDING}, folded = 'そのまま' where post_id = ${kept}`,
      )
      await indexMissing(world.deps)
      expect(await searchPosts('高橋')).toEqual(ids)
      expect(await searchPosts('#とろぴかるーじゅ')).toEqual(ids.slice(-1))
      expect(await searchPosts('#トロピカル')).toEqual([])
      expect(await searchPeople('みお')).not.toEqual([])
      expect(await entryOf(kept)).toEqual({ folded: 'そのまま', folding: FOLDING })
    })

    // An embedded database has one server.
    test.runIf(kind === 'postgres')('two servers that start together make each entry once', async () => {
      const { executeSql } = world.database
      await executeSql('update person_search set folding = 1')
      await executeSql('create table remade (user_id uuid)')
      await executeSql(`create function note_remade() returns trigger language plpgsql as
        $$ begin insert into remade values (new.user_id); return new; end $$`)
      await executeSql(
        'create trigger note_remade after update on person_search for each row execute function note_remade()',
      )
      const [listed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const first = world.deps.transaction(async ({ tx }) => {
        await lockRemaking(tx)
        const entries = await listOutdatedPeople(tx, undefined, 200)
        listed.resolve()
        await goOn.promise
        for (const { id } of entries) await reindexPerson(tx, id)
      })
      await listed.promise
      const second = indexMissing(world.deps)
      const waiting = async () => (await executeSql('select 1 from pg_locks where not granted')).rows.length
      await expect.poll(waiting).toBeGreaterThan(0)
      goOn.resolve()
      await Promise.all([first, second])
      const { rows } = await executeSql(
        `select count(*)::int as made, count(distinct user_id)::int as people,
           (select count(*)::int from person_search where folding <> $1) as outdated from remade`,
        [FOLDING],
      )
      await executeSql('drop trigger note_remade on person_search')
      const [{ made, people, outdated }] = rows as [{ made: number; people: number; outdated: number }]
      expect(people).toBeGreaterThan(1)
      expect({ made, outdated }).toEqual({ made: people, outdated: 0 })
    })

    test('outdated entries are listed each once, the newest first, whatever a step takes', async () => {
      const older = await post('順番')
      const newer = await post('順番')
      await world.deps.db.execute(sql`update post_search set folding = 1 where post_id = ${newer}`)
      await world.deps.db.execute(sql`update post_search set folding = 0 where post_id = ${older}`)
      const steps = await world.deps.transaction(async ({ tx }) => {
        const first = await listOutdatedPosts(tx, undefined, 1)
        const second = await listOutdatedPosts(tx, first[0], 1)
        return [first, second, await listOutdatedPosts(tx, second[0], 1)]
      })
      expect(steps).toEqual([[{ folding: 1, id: newer }], [{ folding: 0, id: older }], []])
      await indexMissing(world.deps)
      expect([await entryOf(older), await entryOf(newer)].map((it) => it?.folding)).toEqual([
        FOLDING,
        FOLDING,
      ])
    })

    test('an entry that a server of an earlier version changes is made again, after the job had made it', async () => {
      const id = await post('渡邉')
      await world.database.executeSql(
        `update post_search set folded = '渡邉', grams = array_to_tsvector(array['渡邉', '邉']) where post_id = $1`,
        [id],
      )
      await world.database.executeSql(
        `update person_search set folded = '渡邉', name = '渡邉', grams = '' where user_id = $1`,
        [creator.id],
      )
      expect([await entryOf(id), await searchPosts('渡邉')]).toEqual([{ folded: '渡邉', folding: 1 }, []])
      await indexMissing(world.deps)
      expect([await entryOf(id), await searchPosts('渡邉')]).toEqual([
        { folded: '渡辺', folding: FOLDING },
        [id],
      ])
      await reindexPost(world.deps.db, id)
      expect(await entryOf(id)).toEqual({ folded: '渡辺', folding: FOLDING })
    })

    test('an empty search, one that is too long, and an invalid cursor are refused', async () => {
      expect(errorOf(await get('posts', '　'))).toEqual({ code: 'invalid', fields: { q: 'required' } })
      expect(errorOf(await get('posts', 'あ'.repeat(101)))).toEqual({
        code: 'invalid',
        fields: { q: 'too_long' },
      })
      const wrong = await call(world, fan, 'GET', '/search/posts?q=a&cursor=bm8')
      expect(errorOf(wrong)).toEqual({ code: 'invalid', fields: { cursor: 'malformed' } })
      expect(await searchPosts('\u0000\u200d')).toEqual([])
    })

    test('a word is trending for three days after enough different members searched for it', async () => {
      await post('きんもくせいの香り')
      const people = await Promise.all(Array.from({ length: MIN_SEARCHERS }, () => signUp(world)))
      const trendingWords = async () => {
        world.clock.now += MINUTE
        return (await call(world, fan, 'GET', '/search/trending')).json<{ words: string[] }>().words
      }
      for (const it of people.slice(1)) for (let i = 0; i < 3; i++) await searchPosts('きんもくせい', '', it)
      expect(await trendingWords()).not.toContain('きんもくせい')
      await searchPosts('キンモクセイ', '', people[0])
      expect(await trendingWords()).toContain('きんもくせい')
      expect((await get('suggestions', 'キンモ')).json()).toMatchObject({ words: ['きんもくせい'] })
      expect((await get('suggestions', 'もくせい')).json()).toMatchObject({ words: [] })
      const stored = JSON.stringify(await world.deps.db.execute(sql`select * from searched_words`))
      expect(stored).toContain('キンモクセイ')
      for (const it of people) expect(stored).not.toContain(it.id)
      world.clock.now += SEARCH_LIFETIME_MS
      expect(await trendingWords()).toEqual([])
      await removeOldSearches(world.deps)
      expect(await world.deps.db.execute(sql`select word from searched_words`)).toMatchObject({ rows: [] })
    })
  })
})
