// Search by a scan of the newest posts and by the index: one list.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { searchable, searchFor, searchTermsOf } from '#server/rules/search-grams.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { addPostOnce, releasePostOnce } from '#server/store/posts/posts.ts'
import { postPlace } from '#server/services/posts/post-place.ts'
import { indexPost } from '#server/store/search/search-index.ts'
import { type FoundPost, type PostFilters, postSearches } from '#server/store/search/posts.ts'

const PAGE = 4
/** The scan covers only six posts, so that most words are not among them. */
const search = postSearches(PAGE, 6)

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('search', () => {
    let world: World
    let author: Member
    let reader: Member
    /** Ids of the posts with each word, newest first. */
    const postsWith = new Map<string, string[]>()
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      author = await signUp(world)
      reader = await signUp(world)
      for (let n = 0; n < 30; n++) await addNumbered(n)
    })
    afterAll(() => world.close())

    /** Adds post `n`: all contain 日記, every third is priced, and some of the oldest contain 粉雪. */
    async function addNumbered(n: number): Promise<void> {
      const { db } = world.deps
      const words = [
        '日記',
        ...(n < 12 && n % 2 === 0 ? ['粉雪'] : []),
        ...(n % 3 === 0 ? ['限定'] : []),
        ...(n === 5 ? ['旅先', '先日'] : []),
      ]
      const it = { id: newId(), authorId: author.id, idempotencyKey: null, content: words.join(' ') }
      const kindOf = n % 3 === 0 ? ({ type: 3, price: 300 } as const) : ({ type: 1, price: null } as const)
      await addPostOnce(db, { ...it, ...kindOf, isAgeLimited: n % 5 === 1 }, world.clock.now)
      world.clock.now += 1000
      await releasePostOnce(db, it.id, author.id, world.clock.now)
      await indexPost(db, it.id, new Date(world.clock.now), { ...searchable(it.content), open: null })
      for (const word of words) postsWith.set(word, [it.id, ...(postsWith.get(word) ?? [])])
    }

    async function searchAllPages(
      q: string,
      who: { id: string; seesAgeLimited: boolean },
      filters: PostFilters = {},
    ): Promise<string[][]> {
      const words = searchFor(searchTermsOf(q))
      if (!words) throw new Error('the query has no search terms')
      const pages: FoundPost[][] = []
      for (let last: FoundPost | undefined; ;) {
        const after = last && postPlace(last)
        const page = { filters, after, now: world.clock.now }
        const found = await search(world.deps.db, who, words, page)
        pages.push(found)
        last = found.at(-1)
        if (found.length < PAGE) return pages.map((it) => it.map((post) => post.id))
      }
    }
    const as = (who: Member, seesAgeLimited = true) => ({ id: who.id, seesAgeLimited })

    test('a word of all posts is found page by page, each post once, newest first', async () => {
      const pages = await searchAllPages('日記', as(author))
      expect(pages.flat()).toEqual(postsWith.get('日記'))
      expect(pages.slice(0, -1).every((it) => it.length === PAGE)).toBe(true)
    })

    test('a word only in old posts is found, and a word in no post finds nothing', async () => {
      expect((await searchAllPages('粉雪', as(author))).flat()).toEqual(postsWith.get('粉雪'))
      expect(await searchAllPages('桜', as(author))).toEqual([[]])
    })

    test('pages are filled with readable posts when the newest are not readable', async () => {
      const priced = new Set(postsWith.get('限定'))
      const open = (postsWith.get('日記') ?? []).filter((id) => !priced.has(id))
      const pages = await searchAllPages('日記', as(reader))
      expect(pages.flat()).toEqual(open)
      expect(pages.slice(0, -1).every((it) => it.length === PAGE)).toBe(true)
      expect(await searchAllPages('限定', as(reader))).toEqual([[]])
      expect((await searchAllPages('日記', as(reader, false))).flat().length).toBeLessThan(open.length)
    })

    test('filters by type, media and time hold for the scan and the index', async () => {
      expect((await searchAllPages('日記', as(author), { type: 3 })).flat()).toEqual(postsWith.get('限定'))
      expect((await searchAllPages('日記', as(author), { media: 'text' })).flat()).toEqual(
        postsWith.get('日記'),
      )
      expect(await searchAllPages('日記', as(author), { media: 'image' })).toEqual([[]])
      const since = new Date(world.clock.now - 10_000)
      expect((await searchAllPages('日記', as(author), { since })).flat()).toEqual(
        postsWith.get('日記')?.slice(0, 10),
      )
      expect(await searchAllPages('粉雪', as(author), { since })).toEqual([[]])
    })

    test('a longer word must occur in the text: its pairs alone do not match', async () => {
      expect((await searchAllPages('旅先 先日', as(author))).flat()).toHaveLength(1)
      expect(await searchAllPages('旅先日', as(author))).toEqual([[]])
    })
  })
})
