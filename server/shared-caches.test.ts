// How long a shared cache by RFC 9111 serves what is of a removed post.
import { beforeAll, describe, expect, test } from 'vitest'
import { noLimits } from './http/limits.ts'
import { openSharedCache, sharedLifetime } from './testing/clients/shared-cache.ts'
import { acting, deskIn } from './testing/moderation/desk.ts'
import { openStudio, type Studio } from './testing/people/studio.ts'
import { jpeg } from './testing/pictures.ts'
import { openWorld, type World } from './testing/world.ts'

describe('of a post with a picture, a shared cache', () => {
  let world: World
  let studio: Studio
  beforeAll(async () => {
    world = await openWorld({ worker: true, settings: { limits: noLimits } })
    studio = await openStudio(world)
    return () => world.close()
  })
  const desk = deskIn(() => world)
  let width = 64
  const published = async () => {
    // A file like a removed one would be held.
    const [field, id] = await studio.image(await jpeg(width++), 'a.jpg')
    const post = await studio.post([['type', '1'], field])
    await studio.processedMedia(post)
    return {
      post,
      addresses: [`/api/media/${id}/w240`, `/api/media/${id}/w480`, `/api/share/post/${post}.jpg`],
    }
  }

  test.each(['hide', 'remove', 'age_limit'])(
    'serves nothing 60 seconds after a measure: %s',
    async (content) => {
      const moderator = await desk.staff('moderator')
      const { post, addresses } = await published()
      const cached = openSharedCache(world)
      const all = async () =>
        (await Promise.all(addresses.map(cached))).map((it) => [it.status, it.fromCache])
      expect(await all()).toEqual(addresses.map(() => [200, false]))
      expect(await all()).toEqual(addresses.map(() => [200, true]))
      world.clock.now += 1000
      const { id } = (await desk.open(moderator, 'post', post)).json().case
      await desk.act(moderator, id, { ...acting, content, text_to_reporters: '' }, 0)
      world.clock.now += 58_999
      expect(await all()).toEqual(addresses.map(() => [200, true]))
      world.clock.now += 1
      for (const [status, fromCache] of await all())
        expect([Number(status) >= 400, fromCache]).toEqual([true, false])
      world.clock.now += 1000
      for (const [status] of await all()) expect(Number(status)).toBeGreaterThanOrEqual(400)
    },
  )

  test('asks the server again after a minute while the post is there, and uses what it has', async () => {
    const { addresses } = await published()
    const cached = openSharedCache(world)
    const [picture = ''] = addresses
    const first = await cached(picture)
    world.clock.now += 60_000
    expect(await cached(picture)).toEqual({ ...first, fromCache: false })
    expect((await cached(picture)).fromCache).toBe(true)
  })

  test('stores no page, list or private file', async () => {
    const { post } = await published()
    for (const address of [`/api/posts/${post}`, '/api/search/posts?q=x', `/api/posts/${post}/comments`]) {
      const reply = await world.app.inject({ method: 'GET', url: address })
      expect([address, sharedLifetime(`${reply.headers['cache-control']}`) ?? 0]).toEqual([address, 0])
    }
  })
})

test.each([
  ['public, max-age=31536000, s-maxage=60, immutable', 60_000],
  ['public, max-age=300', 300_000],
  ['private, max-age=300', undefined],
  ['public, no-cache', 0],
  ['no-store', undefined],
  ['', undefined],
])('a shared cache may use a reply with "%s" for %s ms', (control, life) => {
  expect(sharedLifetime(control)).toBe(life)
})
