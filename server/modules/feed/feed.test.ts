// Feeds of the home page: their posts, their order, and the number of newer posts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FeedKind } from '#contract/posts/feed-kinds.ts'
import { NEWER_CAP } from '#contract/posts/feed.ts'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { addPlan, joinPlan } from '#server/store/plans/plans.ts'
import { addPostOnce, attachPlans, releasePostOnce } from '#server/store/posts/posts.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

interface Page {
  posts: PostView[]
  next: string | null
  head: string | null
}

describe.each(databases)('on $kind', ({ kind: database, available }) => {
  describe.skipIf(!available)('the feeds', () => {
    let world: World
    let me: Member
    let idol: Member
    let stranger: Member
    beforeAll(async () => {
      world = await openWorld({ database })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      await world.database.executeSql('update posts set deleted_at = now()')
      me = await signUp(world)
      idol = await signUp(world)
      stranger = await signUp(world)
    })

    /** Releases a post one second later than the last one. */
    async function publish(author: Member, plans: string[] = []): Promise<string> {
      const id = newId()
      const type = plans.length > 0 ? 2 : 1
      const post = { id, authorId: author.id, idempotencyKey: null, content: id, isAgeLimited: false }
      await addPostOnce(world.deps.db, { ...post, type, price: null }, world.clock.now)
      await attachPlans(world.deps.db, id, plans)
      world.clock.now += 1000
      await releasePostOnce(world.deps.db, id, author.id, world.clock.now)
      return id
    }
    const run = (sql: string, ...values: string[]) => world.database.executeSql(sql, values)
    const follow = (follower: Member, followed: Member) =>
      run(
        'insert into follows (follower_id, followed_id, created_at) values ($1, $2, now())',
        follower.id,
        followed.id,
      )
    const page = async (kind: FeedKind, cursor?: string, as = me) =>
      (await call(world, as, 'GET', `/feed/${kind}${cursor ? `?cursor=${cursor}` : ''}`)).json<Page>()
    const ids = async (kind: FeedKind, as = me) => (await page(kind, undefined, as)).posts.map((it) => it.id)
    const newer = async (kind: FeedKind, than: string | null, as = me) =>
      (await call(world, as, 'GET', `/feed/${kind}/newer${than ? `?than=${than}` : ''}`)).json()
        .count as number

    test('フォロー中 has posts of followed people and the viewer, 新着 those of all people', async () => {
      await follow(me, idol)
      const [followed, other, own] = [await publish(idol), await publish(stranger), await publish(me)]
      expect(await ids('following')).toEqual([own, followed])
      expect(await ids('latest')).toEqual([own, other, followed])
      expect(await ids('plans')).toEqual([])
    })

    test('フォロー中 lists each post once, newest first, while other posts are released', async () => {
      await follow(me, idol)
      await follow(me, stranger)
      const published: string[] = []
      for (let n = 0; n < 45; n++) published.unshift(await publish(n % 3 === 0 ? stranger : idol))
      const pages: string[][] = []
      for (let next: string | null | undefined; next !== null;) {
        const it: Page = await page('following', next)
        pages.push(it.posts.map((post) => post.id))
        next = it.next
        await publish(idol)
      }
      expect(pages.map((it) => it.length)).toEqual([10, 20, 15])
      expect(pages.flat()).toEqual(published)
    })

    test('フォロー中 with 60 followed people lists each visible post once, newest first', async () => {
      const people = Array.from({ length: 60 }, (_, n) => ({ ...idol, id: newId(), hidden: n % 5 === 4, n }))
      for (const it of people) {
        const row = `insert into users (id, email, password_hash, name, birth_date, created_at, suspended_at)
          values ($1, $2, '', '', '1990-04-01', now(), ${it.hidden && it.n % 3 === 0 ? 'now()' : 'null'})`
        await run(row, it.id, `${it.id}@crowd.example`)
        await follow(me, it)
        const [table, own, other] =
          it.n % 3 === 1 ? ['blocks', 'blocker_id', 'blocked_id'] : ['mutes', 'muter_id', 'muted_id']
        if (it.hidden && it.n % 3 !== 0)
          await run(
            `insert into ${table} (${own}, ${other}, created_at) values ($1, $2, now())`,
            me.id,
            it.id,
          )
      }
      // Each round has fewer authors: some have a single old post, others most of the newest posts.
      const visible: string[] = []
      for (let round = 0; round < 5; round++)
        for (const it of people.filter(({ n }) => (n * 7) % 60 < 60 >> round)) {
          const id = await publish(it)
          if (!it.hidden) visible.unshift(id)
        }
      const pages: string[][] = []
      for (let next: string | null | undefined; next !== null;) {
        const it: Page = await page('following', next)
        pages.push(it.posts.map((post) => post.id))
        next = it.next
      }
      expect(pages.flat()).toEqual(visible)
      expect(new Set(pages.slice(1, -1).map((it) => it.length))).toEqual(new Set([20]))
      expect(pages[0]).toHaveLength(10)
      await run('delete from blocks')
      await run('delete from mutes')
    })

    test('プラン has the posts that a joined plan opens, until the membership ends', async () => {
      const [joined, other] = [newId(), newId()]
      for (const id of [joined, other])
        await addPlan(world.deps.db, { id, creatorId: idol.id, name: id, price: 300, createdAt: new Date() })
      await joinPlan(world.deps.db, joined, me.id, world.clock.now)
      await publish(idol)
      await publish(idol, [other])
      const [opened, both] = [await publish(idol, [joined]), await publish(idol, [other, joined])]
      expect(await ids('plans')).toEqual([both, opened])
      const ended = new Date(world.clock.now).toISOString()
      await run('update plan_members set ends_at = $1 where plan_id = $2', ended, joined)
      expect(await ids('plans')).toEqual([])
    })

    test('no feed has posts of blocked, blocking or muted people, and of suspended ones only what was paid for', async () => {
      const plan = newId()
      await addPlan(world.deps.db, {
        id: plan,
        creatorId: idol.id,
        name: 'p',
        price: 300,
        createdAt: new Date(),
      })
      await joinPlan(world.deps.db, plan, me.id, world.clock.now)
      await follow(me, idol)
      await publish(idol, [plan])
      const allFeeds = async () => [await ids('following'), await ids('latest'), await ids('plans')]
      const sees = async () => (await allFeeds()).every((it) => it.length === 1)
      const seesNothing = async () => (await allFeeds()).every((it) => it.length === 0)
      expect(await sees()).toBe(true)

      // Inserts only the row: a block by the API also ends the follows.
      const block = (blocker: Member, blocked: Member) =>
        run(
          'insert into blocks (blocker_id, blocked_id, created_at) values ($1, $2, now())',
          blocker.id,
          blocked.id,
        )
      await block(me, idol)
      expect(await seesNothing()).toBe(true)
      await run('delete from blocks')
      await block(idol, me)
      expect(await seesNothing()).toBe(true)
      await run('delete from blocks')
      await run('insert into mutes (muter_id, muted_id, created_at) values ($1, $2, now())', me.id, idol.id)
      expect(await seesNothing()).toBe(true)
      expect(await newer('latest', null)).toBe(0)
      await run('delete from mutes')
      await run('update users set suspended_at = now() where id = $1', idol.id)
      // What was paid for stays open.
      expect((await allFeeds()).map((it) => it.length)).toEqual([0, 0, 1])
      await run('update users set suspended_at = null where id = $1', idol.id)
      expect(await sees()).toBe(true)
    })

    test('posts that are newer than the head are counted, up to the limit', async () => {
      await follow(me, idol)
      expect(await newer('following', null)).toBe(0)
      await publish(idol)
      const { head } = await page('following')
      expect(await newer('following', head)).toBe(0)
      await publish(stranger)
      await publish(idol)
      expect(await newer('following', head)).toBe(1)
      expect(await newer('latest', head)).toBe(2)
      for (let n = 0; n < NEWER_CAP; n++) await publish(idol)
      expect(await newer('following', head)).toBe(NEWER_CAP)
      expect(await newer('following', (await page('following')).head)).toBe(0)
    })

    test('an unreleased and a deleted post are in no feed, not even that of their author', async () => {
      const deleted = await publish(me)
      await run('update posts set deleted_at = now() where id = $1', deleted)
      const unreleased = {
        authorId: me.id,
        idempotencyKey: null,
        type: 1,
        content: '',
        isAgeLimited: false,
      } as const
      await addPostOnce(world.deps.db, { ...unreleased, id: newId(), price: null }, world.clock.now)
      expect([await ids('following'), await ids('latest')]).toEqual([[], []])
    })

    test('visitors, malformed cursors and unknown feeds are refused', async () => {
      expect(errorOf(await call(world, null, 'GET', '/feed/latest'))).toEqual({ code: 'unauthenticated' })
      const wrong = await call(world, me, 'GET', '/feed/latest?cursor=x')
      expect(errorOf(wrong)).toEqual({ code: 'invalid', fields: { cursor: 'malformed' } })
      const than = await call(world, me, 'GET', '/feed/latest/newer?than=x')
      expect(errorOf(than)).toEqual({ code: 'invalid', fields: { than: 'malformed' } })
      expect(errorOf(await call(world, me, 'GET', '/feed/nothing')).code).toBe('invalid')
    })
  })
})
