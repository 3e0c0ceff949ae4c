// Access in search: only people who may read a post find it by its words.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { addPlan, endMembership, joinPlan } from '#server/store/plans/plans.ts'
import {
  addPostOnce,
  addPurchase,
  attachPlans,
  releasePostOnce,
  revokePurchase,
} from '#server/store/posts/posts.ts'
import { changePrivacy } from '#server/store/accounts/settings.ts'
import { mutes } from '#server/store/tables/people.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { reindexPost } from '#server/services/search/search-index.ts'
import { viewFacts } from '#server/services/posts/post-view.ts'
import { factsOfPosts } from '#server/store/posts/post-facts.ts'
import { MIN_SEARCHERS } from './trending.ts'

const DAY = 24 * 3600_000
const HOUR = 3600_000
const WORD = 'ひみつの宝箱'
const authors = ['present', 'muted', 'blocking', 'blocked', 'suspended', 'leaving'] as const
const states = ['released', 'unreleased', 'deleted'] as const
const viewers = [
  'member',
  'planMember',
  'formerMember',
  'buyer',
  'refunded',
  'adult',
  'adultMember',
  'minor',
  'author',
] as const

const birthDateOf = (it: (typeof viewers)[number]) => (it === 'minor' ? '2012-01-01' : '1990-04-01')

interface Written {
  readonly type: 1 | 2 | 3
  readonly planId: string
  readonly isAgeLimited?: boolean
  readonly state?: (typeof states)[number]
  readonly content?: string
}

interface Found {
  readonly ids: string[]
  readonly cursors: string[]
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('search by access', () => {
    let world: World
    const members = {} as Record<(typeof viewers)[number], Member>
    const posts: { id: string; author: (typeof authors)[number] }[] = []

    /** Adds a post with plan, state and index entry, as the editor's requests do. */
    async function write(author: Member, post: Written): Promise<string> {
      const { db } = world.deps
      const id = newId()
      world.clock.now += 1000
      const { planId, content = `${WORD} ${id}`, type, isAgeLimited = false } = post
      const row = { id, authorId: author.id, idempotencyKey: null, type, content, isAgeLimited }
      await addPostOnce(db, { ...row, price: type === 3 ? 500 : null }, world.clock.now)
      if (type === 2) await attachPlans(db, id, [planId])
      if (post.state !== 'unreleased') await releasePostOnce(db, id, author.id, world.clock.now)
      await reindexPost(db, id)
      const at = new Date(world.clock.now).toISOString()
      if (post.state === 'deleted')
        await db.execute(sql`update posts set deleted_at = ${at}::timestamptz where id = ${id}`)
      return id
    }

    async function addPosts(authorKind: (typeof authors)[number], author: Member): Promise<void> {
      const { db } = world.deps
      const planId = newId()
      const now = () => world.clock.now
      await addPlan(db, {
        id: planId,
        creatorId: author.id,
        name: 'plan',
        price: 500,
        createdAt: new Date(now()),
      })
      for (const it of [members.planMember, members.formerMember, members.adultMember])
        await joinPlan(db, planId, it.id, now())
      await endMembership(db, planId, members.formerMember.id, now() + HOUR)
      for (const type of [1, 2, 3] as const) {
        for (const isAgeLimited of [false, true]) {
          for (const state of states) {
            const id = await write(author, { type, isAgeLimited, state, planId })
            posts.push({ id, author: authorKind })
            for (const it of [members.buyer, members.refunded]) await addPurchase(db, id, it.id, 500, now())
            await revokePurchase(db, id, members.refunded.id, now())
          }
        }
      }
    }

    beforeAll(async () => {
      world = await openWorld({ database: kind })
      const { db } = world.deps
      for (const it of viewers) members[it] = await signUp(world, birthDateOf(it))
      for (const it of ['buyer', 'adult', 'adultMember', 'minor'] as const)
        await changePrivacy(db, members[it].id, { showsAgeLimited: true }, world.clock.now)
      for (const authorKind of authors) {
        const author = authorKind === 'present' ? members.author : await signUp(world)
        await addPosts(authorKind, author)
        const at = new Date(world.clock.now)
        for (const { id } of viewers.map((it) => members[it])) {
          if (authorKind === 'muted')
            await db.insert(mutes).values({ muterId: id, mutedId: author.id, createdAt: at })
          if (authorKind === 'blocked') await addBlock(db, id, author.id, world.clock.now)
          if (authorKind === 'blocking') await addBlock(db, author.id, id, world.clock.now)
        }
        if (authorKind === 'suspended')
          await db.execute(
            sql`update users set suspended_at = ${at.toISOString()}::timestamptz where id = ${author.id}`,
          )
        if (authorKind === 'leaving') await leave(world, author)
      }
      world.clock.now += 2 * HOUR
    }, 120_000)
    afterAll(() => world.close())

    /** Searches all pages, from first to last. */
    async function search(as: Member, query: string): Promise<Found> {
      const found: Found = { ids: [], cursors: [] }
      for (let cursor: string | null = ''; cursor !== null;) {
        const cursorQuery: string = cursor === '' ? '' : `&cursor=${cursor}`
        const reply = await call(
          world,
          as,
          'GET',
          `/search/posts?q=${encodeURIComponent(query)}${cursorQuery}`,
        )
        expect(reply.statusCode).toBe(200)
        const page = reply.json<{ posts: PostView[]; next: string | null }>()
        expect(page.posts.map((it) => it.access.is)).toEqual(page.posts.map(() => 'full'))
        found.ids.push(...page.posts.map((it) => it.id))
        if (page.next !== null) found.cursors.push(page.next)
        cursor = page.next
      }
      return found
    }

    /** Authors whose posts no search finds, also those that a viewer may read. */
    const unlisted = new Set<(typeof authors)[number]>(['muted', 'leaving', 'suspended'])

    /** Ids of posts that the viewer may read by the access policy, without authors whom no search finds. */
    async function readable(viewer: (typeof viewers)[number]): Promise<Set<string>> {
      const ids = posts.filter((it) => !unlisted.has(it.author)).map((it) => it.id)
      const onlooker = { id: members[viewer].id, birthDate: birthDateOf(viewer) }
      const { now } = world.clock
      const facts = await factsOfPosts(world.deps.db, onlooker.id, ids, now)
      const views = await viewFacts(world.deps, onlooker, facts, now)
      return new Set(
        views.filter((it) => it.released_at !== null && it.access.is === 'full').map((it) => it.id),
      )
    }

    test.each(viewers)('%s finds exactly the posts that they may read, each once', async (viewer) => {
      const expected = await readable(viewer)
      const { ids, cursors } = await search(members[viewer], 'ヒミツノ宝箱')
      expect(ids.toSorted()).toEqual([...expected].toSorted())
      for (const it of cursors) {
        const [, id] = JSON.parse(Buffer.from(it, 'base64url').toString()) as [string, string]
        expect(expected.has(id)).toBe(true)
      }
    })

    test('the viewers of this test differ in how many posts they may read', async () => {
      const sizes = await Promise.all(viewers.map(async (it) => [it, (await readable(it)).size]))
      expect(Object.fromEntries(sizes)).toEqual({
        member: 1,
        planMember: 2,
        formerMember: 1,
        buyer: 4,
        refunded: 1,
        adult: 2,
        adultMember: 4,
        minor: 1,
        author: 6,
      })
    })

    test('a search without a session is unauthenticated', async () => {
      expect((await call(world, null, 'GET', `/search/posts?q=${encodeURIComponent(WORD)}`)).statusCode).toBe(
        401,
      )
    })

    test('a word whose searches find only closed posts is never trending or suggested', async () => {
      const planId = newId()
      const { db } = world.deps
      const now = world.clock.now
      await addPlan(db, {
        id: planId,
        creatorId: members.author.id,
        name: 'all',
        price: 1,
        createdAt: new Date(now),
      })
      const closed = await write(members.author, { type: 2, planId, content: 'うらばなし' })
      for (let i = 0; i < MIN_SEARCHERS + 2; i++) {
        const fan = await signUp(world)
        await joinPlan(db, planId, fan.id, now)
        expect((await search(fan, 'うらばなし')).ids).toEqual([closed])
      }
      world.clock.now += 2 * 60_000
      const otherMember = await signUp(world)
      const trending = await call(world, otherMember, 'GET', '/search/trending')
      const suggestions = await call(
        world,
        otherMember,
        'GET',
        `/search/suggestions?q=${encodeURIComponent('うら')}`,
      )
      // All viewers searched for this word before, and an open post contains it.
      expect(trending.json()).toEqual({ words: ['ヒミツノ宝箱'] })
      expect(suggestions.json()).toEqual({ words: [], people: [] })
      expect(await db.execute(sql`select word from searched_words where word = 'ウラバナシ'`)).toMatchObject({
        rows: [],
      })
    })

    test('posts of a plan are not found after the membership ends', async () => {
      const before = (await search(members.planMember, WORD)).ids.length
      await world.deps.db.execute(
        sql`update plan_members set ends_at = ${new Date(world.clock.now + DAY).toISOString()}::timestamptz where user_id = ${members.planMember.id}`,
      )
      expect((await search(members.planMember, WORD)).ids).toHaveLength(before)
      world.clock.now += 2 * DAY
      expect((await search(members.planMember, WORD)).ids).toHaveLength(before - 1)
    })
  })
})
