// The two ways to a word: through the newest posts, and by the index. Together they are one list.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { termsOf } from '#contract/text/fold.ts'
import { newId } from '#contract/ids.ts'
import { searchable, searchFor } from '#server/rules/search-grams.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { addPostOnce, releasePostOnce } from '#server/store/posts/posts.ts'
import { postPlace } from '#server/services/posts/post-place.ts'
import { indexPost } from '#server/store/search/search-index.ts'
import { type FoundPost, type PostFilters, postSearches } from '#server/store/search/posts.ts'

const PAGE = 4
/** So few are looked through that most words are not among them. */
const search = postSearches(PAGE, 6)

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a search', () => {
    let world: World
    let author: Member
    let reader: Member
    /** The ids of posts that say these words, newest first. */
    const saying = new Map<string, string[]>()
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      author = await signUp(world)
      reader = await signUp(world)
      for (let n = 0; n < 30; n++) await say(n)
    })
    afterAll(() => world.close())

    /** Each says that it is there; some are sold, and few of the oldest are of snow. */
    async function say(n: number): Promise<void> {
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
      await indexPost(db, it.id, new Date(world.clock.now), searchable(it.content))
      for (const word of words) saying.set(word, [it.id, ...(saying.get(word) ?? [])])
    }

    async function everything(
      q: string,
      who: { id: string; seesAgeLimited: boolean },
      filters: PostFilters = {},
    ): Promise<string[][]> {
      const asked = searchFor(termsOf(q))
      if (!asked) throw new Error('asks for nothing')
      const pages: FoundPost[][] = []
      for (let last: FoundPost | undefined; ;) {
        const after = last && postPlace(last)
        const page = { filters, after, now: world.clock.now }
        const found = await search(world.deps.db, who, asked, page)
        pages.push(found)
        last = found.at(-1)
        if (found.length < PAGE) return pages.map((it) => it.map((post) => post.id))
      }
    }
    const as = (who: Member, seesAgeLimited = true) => ({ id: who.id, seesAgeLimited })

    test('finds what is everywhere page by page, each post once, newest first', async () => {
      const pages = await everything('日記', as(author))
      expect(pages.flat()).toEqual(saying.get('日記'))
      expect(pages.slice(0, -1).every((it) => it.length === PAGE)).toBe(true)
    })

    test('finds a word that stands in old posts alone, and nothing for one that stands nowhere', async () => {
      expect((await everything('粉雪', as(author))).flat()).toEqual(saying.get('粉雪'))
      expect(await everything('桜', as(author))).toEqual([[]])
    })

    test('fills a page with what may be read where the newest may not', async () => {
      const sold = new Set(saying.get('限定'))
      const open = (saying.get('日記') ?? []).filter((id) => !sold.has(id))
      const pages = await everything('日記', as(reader))
      expect(pages.flat()).toEqual(open)
      expect(pages.slice(0, -1).every((it) => it.length === PAGE)).toBe(true)
      expect(await everything('限定', as(reader))).toEqual([[]])
      expect((await everything('日記', as(reader, false))).flat().length).toBeLessThan(open.length)
    })

    test('keeps to the kind and the age asked for, whichever way finds it', async () => {
      expect((await everything('日記', as(author), { type: 3 })).flat()).toEqual(saying.get('限定'))
      expect((await everything('日記', as(author), { media: 'text' })).flat()).toEqual(saying.get('日記'))
      expect(await everything('日記', as(author), { media: 'image' })).toEqual([[]])
      const since = new Date(world.clock.now - 10_000)
      expect((await everything('日記', as(author), { since })).flat()).toEqual(
        saying.get('日記')?.slice(0, 10),
      )
      expect(await everything('粉雪', as(author), { since })).toEqual([[]])
    })

    test('looks a longer word up in the text: its pairs alone are not it', async () => {
      expect((await everything('旅先 先日', as(author))).flat()).toHaveLength(1)
      expect(await everything('旅先日', as(author))).toEqual([[]])
    })
  })
})
