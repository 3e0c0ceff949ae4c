// Lists on a replica have what their person wrote, also when it dies.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostView } from '#contract/posts/posts.ts'
import { defined } from '#contract/testing/defined.ts'
import { identify, postIdOf, addPost } from './testing/people/members.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { openWorld } from './testing/world.ts'
import { type Browser, openBrowser } from './testing/replication/browser.ts'
import { openReplicated, type ReplicatedWorld } from './testing/replication/replicated-world.ts'

const postsOf = async (browser: Browser, path: string) => {
  const reply = await browser.call('GET', path)
  expect(reply.statusCode).toBe(200)
  return (reply.json() as { posts: PostView[] }).posts
}
const idsOf = async (browser: Browser, path: string) => (await postsOf(browser, path)).map((it) => it.id)

describe.skipIf(!postgresAvailable())('with a replica', () => {
  let world: ReplicatedWorld
  let author: Browser
  beforeAll(async () => {
    world = await openReplicated()
    author = await world.reader()
    await identify(world, author.member)
  })
  afterAll(() => world.close())

  /** Publishes by the API. @returns the post's id */
  async function publish(by: Browser, content: string): Promise<string> {
    world.clock.now += 1000
    const added = await addPost(world, by.member, [
      ['type', '1'],
      ['content', content],
    ])
    const id = postIdOf(added)
    expect((await by.call('POST', `/post/release-uploaded/${id}`)).statusCode).toBe(200)
    return id
  }
  const listsOf = (by: Browser, word: string) => [
    '/feed/latest',
    '/feed/following',
    `/posts?author=${by.member.id}`,
    `/search/posts?q=${encodeURIComponent(word)}`,
  ]
  /** Times that a server has run the statement that finds a page of `latest`. */
  const runs = async (server: { sql(text: string): Promise<Record<string, unknown>[]> }) => {
    const [row] = await server.sql(
      `select coalesce(sum(calls), 0)::int as n from pg_stat_statements where query like 'select p.id%order by "posts"."released_at" desc%'`,
    )
    return row?.['n'] as number
  }

  test('a list is found on the replica once the browser has a watermark', async () => {
    await publish(author, '朝の光')
    const reader = await world.reader()
    expect(world.served()).toContain('new')
    await world.caughtUp()
    const before = [await runs(world.replica), await runs(world.primary)]
    const posts = await postsOf(reader, '/feed/latest')
    expect([posts[0]?.access, world.served()]).toEqual([
      expect.objectContaining({ is: 'full', content: '朝の光' }),
      ['replica'],
    ])
    expect([await runs(world.replica), await runs(world.primary)]).toEqual([(before[0] ?? 0) + 1, before[1]])
  })

  test('a client without cookies reads from the primary alone', async () => {
    const reader = await world.reader()
    await world.caughtUp()
    reader.cookies.clear()
    world.served()
    await reader.call('GET', '/feed/latest')
    expect(world.served()).toEqual(['new'])
  })

  test('each list has the same posts and people as on the primary', async () => {
    const reader = await world.reader()
    await reader.call('PUT', `/follows/${author.member.id}`, { device_id: author.member.id, seq: 1 })
    for (let n = 0; n < 12; n++) await publish(author, `空の色 ${n}`)
    await world.reader()
    await reader.call('GET', '/people/suggested')
    await world.caughtUp()
    const people = [
      '/people/suggested',
      '/search/people?q=%E4%BC%9A%E5%93%A1',
      '/search/suggestions?q=%E4%BC%9A',
    ]
    for (const path of [...listsOf(author, '空の色'), ...people, `/users/${author.member.id}`]) {
      world.served()
      const fromReplica = (await reader.call('GET', path)).json()
      expect([path, world.served()]).toEqual([path, ['replica']])
      const token = defined(reader.cookies.get('todoke_watermark'))
      reader.cookies.delete('todoke_watermark')
      expect((await reader.call('GET', path)).json()).toEqual(fromReplica)
      expect(world.served()).toContain('new')
      reader.cookies.set('todoke_watermark', token)
    }
  })

  test('an author sees a new post at once in every list, and others once it is replayed', async () => {
    const other = await world.reader()
    const [id, lists] = await world.whilePaused(async () => {
      const made = await publish(author, '夜の海')
      const paths = listsOf(author, '夜の海')
      for (const path of paths)
        expect([path, await idsOf(author, path)]).toEqual([path, expect.arrayContaining([made])])
      expect(world.served()).toEqual(['behind'])
      expect(await idsOf(other, '/feed/latest')).not.toContain(made)
      expect(world.served()).toEqual(['replica'])
      return [made, paths] as const
    })
    await world.caughtUp()
    for (const path of lists.filter((it) => !it.includes('following')))
      expect([path, await idsOf(other, path)]).toEqual([path, expect.arrayContaining([id])])
    expect(world.served()).toEqual(['replica'])
  })

  test('an author who published on one server sees the post on another', async () => {
    const urls = [world.replica.url]
    const second = await openWorld({
      at: { url: world.primary.url, replicas: { urls, maxLag: 1e9 } },
      parts: { dataDir: world.dataDir },
    })
    const elsewhere = openBrowser(second, author.member)
    await expect.poll(() => second.database.replicas?.figures()[0]?.standing).toBe('used')
    await world.whilePaused(async () => {
      const id = await publish(author, '別のサーバー')
      for (const [name, value] of author.cookies) elsewhere.cookies.set(name, value)
      expect(await idsOf(elsewhere, '/feed/latest')).toContain(id)
    })
    await second.close()
  })

  test('a follow, a mute and a profile are seen at once by the person who changed them', async () => {
    const me = await world.reader()
    await world.whilePaused(async () => {
      await me.call('PUT', `/follows/${author.member.id}`)
      expect((await idsOf(me, '/feed/following')).length).toBeGreaterThan(0)
      await me.call('PUT', `/mutes/${author.member.id}`)
      expect(await idsOf(me, '/feed/following')).toEqual([])
      const profile = { name: '改名した人', handle: '', bio: '', links: [] }
      expect((await me.call('PUT', '/profile', profile)).json()).toMatchObject({ name: '改名した人' })
      const found = await me.call('GET', `/search/people?q=${encodeURIComponent('改名した')}`)
      expect(found.json().people).toEqual([expect.objectContaining({ id: me.member.id })])
      expect(world.served()).not.toContain('replica')
    })
  })

  test('a follower who is notified of a post counts it, and finds it in the list', async () => {
    const follower = await world.reader()
    await follower.call('PUT', `/follows/${author.member.id}`)
    await world.caughtUp()
    const { head } = (await follower.call('GET', '/feed/following')).json() as { head: string }
    await world.whilePaused(async () => {
      const id = await publish(author, '知らせた投稿')
      expect(await idsOf(follower, '/feed/following')).not.toContain(id)
      const newer = await follower.call('GET', `/feed/following/newer?than=${head}`)
      expect(newer.json()).toEqual({ count: 1 })
      expect(await idsOf(follower, '/feed/following')).toContain(id)
    })
    await world.caughtUp()
    world.served()
    expect((await follower.call('GET', `/feed/following/newer?than=${head}`)).json()).toEqual({ count: 1 })
    expect(world.served()).toEqual(['replica'])
  })

  test('a watermark is valid for its person alone, and not after a change', async () => {
    const [one, other] = [await world.reader(), await world.reader()]
    await world.caughtUp()
    const [position = '', mac = ''] = (one.cookies.get('todoke_watermark') ?? '').split('.')
    world.served()
    for (const forged of [`${position}.${mac}`, `0/1.${mac}`, '0/1.', 'x', `0/1.${mac.slice(1)}`]) {
      other.cookies.set('todoke_watermark', forged)
      await other.call('GET', '/feed/latest')
      expect([forged, world.served()]).toEqual([forged, ['new']])
    }
    await one.call('GET', '/feed/latest')
    expect(world.served()).toEqual(['replica'])
  })

  test('a killed or frozen replica fails no request, and is used again once it is back', async () => {
    const reader = await world.reader()
    await world.caughtUp()
    const expected = await idsOf(reader, '/feed/latest')
    world.served()
    world.replica.freeze()
    const during = idsOf(reader, '/feed/latest')
    await world.replica.kill()
    expect(await during).toEqual(expected)
    expect(await idsOf(reader, '/feed/latest')).toEqual(expected)
    expect(world.served()).not.toContain('replica')
    await world.replica.start()
    await world.caughtUp()
    world.replica.freeze()
    expect(await idsOf(reader, '/feed/latest')).toEqual(expected)
    expect(world.served()).toEqual(['failed'])
    world.replica.thaw()
    await world.caughtUp()
    expect(await idsOf(reader, '/feed/latest')).toEqual(expected)
    expect(world.served()).toContain('replica')
  })
})
