// Lists of a replica that is behind show nothing that was closed since.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { reindexPost } from './services/search/search-index.ts'
import { addPlan, joinPlan } from './store/plans/plans.ts'
import { addPurchase, attachPlans } from './store/posts/posts.ts'
import { identify } from './testing/people/members.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { publish } from './testing/published.ts'
import type { Browser } from './testing/replication/browser.ts'
import { openReplicated, type ReplicatedWorld } from './testing/replication/replicated-world.ts'

const WORD = '秘密の庭'

interface Scene {
  readonly world: ReplicatedWorld
  readonly author: Browser
  readonly viewer: Browser
  readonly postId: string
}

const run = ({ world }: Scene, text: string, ...values: unknown[]) => world.database.executeSql(text, values)

interface Change {
  readonly name: string
  readonly type?: 2 | 3
  /** What lets the viewer read the post. */
  readonly opens?: (scene: Scene) => Promise<unknown>
  readonly happens: (scene: Scene) => Promise<unknown>
  /** Whether lists still name the post, without its text. */
  readonly remains?: true
}

const planOf = async (scene: Scene): Promise<void> => {
  const { world, author, viewer, postId } = scene
  const id = newId()
  await addPlan(world.deps.db, {
    id,
    creatorId: author.member.id,
    name: '庭',
    price: 500,
    createdAt: new Date(world.clock.now),
  })
  await attachPlans(world.deps.db, postId, [id])
  await joinPlan(world.deps.db, id, viewer.member.id, world.clock.now - 1000)
}

const changes: readonly Change[] = [
  {
    name: 'its author deletes it',
    happens: ({ author, postId }) => author.call('DELETE', `/posts/${postId}`),
  },
  {
    name: 'its author asks a price for it',
    happens: ({ author, postId }) =>
      author.call('PATCH', `/posts/${postId}`, { audience: { type: 3, price: 500 } }),
    remains: true,
  },
  {
    name: 'its author blocks the viewer',
    happens: ({ author, viewer }) => author.call('PUT', `/blocks/${viewer.member.id}`),
  },
  {
    name: 'staff withhold it',
    happens: (it) =>
      run(it, 'update posts set deleted_at = now(), withheld_at = now() where id = $1', it.postId),
  },
  {
    name: 'staff limit it to adults who choose to see it',
    happens: (it) => run(it, 'update posts set is_age_limited = true where id = $1', it.postId),
    remains: true,
  },
  {
    name: 'staff suspend its author',
    happens: (it) => run(it, 'update users set suspended_at = now() where id = $1', it.author.member.id),
  },
  {
    name: 'its author deletes the account',
    happens: (it) => run(it, 'update users set deleted_at = now() where id = $1', it.author.member.id),
  },
  {
    name: 'its purchase is refunded',
    type: 3,
    opens: ({ world, viewer, postId }) =>
      addPurchase(world.deps.db, postId, viewer.member.id, 500, world.clock.now),
    happens: (it) => run(it, 'update post_purchases set revoked_at = now() where post_id = $1', it.postId),
    remains: true,
  },
  {
    name: 'the membership that opens it ends',
    type: 2,
    opens: planOf,
    happens: (it) => run(it, 'delete from plan_members where user_id = $1', it.viewer.member.id),
    remains: true,
  },
]

describe.skipIf(!postgresAvailable())('a replica has a post that was open until', () => {
  let world: ReplicatedWorld
  beforeAll(async () => {
    world = await openReplicated()
  })
  afterAll(() => world.close())

  async function open({ type, opens }: Change): Promise<Scene> {
    world.clock.now += 1000
    const [author, viewer] = [await world.reader(), await world.reader()]
    await identify(world, author.member)
    await viewer.call('PUT', `/follows/${author.member.id}`)
    const post = { content: WORD, ...(type && { type }), ...(type === 3 && { price: 500 }) }
    const postId = await publish(world, author.member, post)
    const scene = { world, author, viewer, postId }
    await opens?.(scene)
    await reindexPost(world.deps.db, postId)
    return scene
  }

  const listsOf = ({ author }: Scene) => [
    '/feed/latest',
    '/feed/following',
    '/feed/plans',
    `/posts?author=${author.member.id}`,
    `/search/posts?q=${encodeURIComponent(WORD)}`,
  ]
  const postIn = async ({ viewer, postId }: Scene, path: string) => {
    const { posts } = (await viewer.call('GET', path)).json() as { posts: PostView[] }
    return posts.find((it) => it.id === postId)
  }

  test.each(changes)('$name', async (change) => {
    const scene = await open(change)
    await world.caughtUp()
    for (const path of listsOf(scene).filter((it) => change.type === 2 || !it.includes('plans')))
      expect([path, await postIn(scene, path)]).toMatchObject([
        path,
        { access: { is: 'full', content: WORD } },
      ])
    await world.whilePaused(async () => {
      await change.happens(scene)
      for (const path of listsOf(scene)) {
        const found = await postIn(scene, path)
        expect([path, found?.access.is === 'full']).toEqual([path, false])
        expect(JSON.stringify([found])).not.toContain(WORD)
        if (!change.remains) expect([path, found]).toEqual([path, undefined])
      }
      expect(world.served().filter((it) => it !== 'replica' && it !== 'changed')).toEqual([])
    })
  })

  test('its author edits it: the former text is in no list', async () => {
    const scene = await open({ name: '', happens: async () => undefined })
    await world.caughtUp()
    expect((await postIn(scene, '/feed/latest'))?.access).toMatchObject({ is: 'full', content: WORD })
    await world.whilePaused(async () => {
      const edited = await scene.author.call('PATCH', `/posts/${scene.postId}`, { content: '書き直した' })
      expect(edited.statusCode).toBe(200)
      for (const path of listsOf(scene).filter((it) => !it.includes('plans') && !it.includes('search'))) {
        const found = await postIn(scene, path)
        expect([path, found?.access]).toMatchObject([path, { is: 'full', content: '書き直した' }])
      }
      expect(world.served()).toEqual(['changed'])
    })
  })

  test('staff limit its author, whom searches and the latest posts then do not have', async () => {
    const scene = await open({ name: '', happens: async () => undefined })
    const { viewer, author } = scene
    const isFound = async () => {
      const reply = await viewer.call('GET', `/search/people?q=${encodeURIComponent('会員')}`)
      return (reply.json().people as { id: string }[]).some((it) => it.id === author.member.id)
    }
    const listed = ['/feed/latest', `/search/posts?q=${encodeURIComponent(WORD)}`]
    // Twenty people are found at once; the author comes first by a follower.
    await world.caughtUp()
    expect([await isFound(), (await postIn(scene, '/feed/latest')) !== undefined]).toEqual([true, true])
    await world.whilePaused(async () => {
      await run(scene, 'update users set limited_at = now() where id = $1', author.member.id)
      expect(await isFound()).toBe(false)
      for (const path of listed) expect([path, await postIn(scene, path)]).toEqual([path, undefined])
      expect(world.served()).toEqual(['changed'])
    })
  })

  test('a page from which the primary removes a post is as long as on the primary, and continues', async () => {
    const scene = await open({ name: '', happens: async () => undefined })
    for (let n = 0; n < 12; n++) await publish(world, scene.author.member)
    const path = `/posts?author=${scene.author.member.id}`
    const read = async () =>
      (await scene.viewer.call('GET', path)).json() as { posts: PostView[]; next: string | null }
    await world.caughtUp()
    const [newest] = (await read()).posts
    expect(world.served()).toContain('replica')
    await world.whilePaused(async () => {
      await scene.author.call('DELETE', `/posts/${newest?.id}`)
      const page = await read()
      expect([page.posts.length, page.next !== null, world.served()]).toEqual([10, true, ['changed']])
    })
  })
})
