// Adding and releasing a post takes effect exactly once, on both databases (specification section 7).
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { defaultBlurredImage } from '#contract/posts/blurred-image.ts'
import { newId } from '#contract/ids.ts'
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
import { databases, openWorld, type World, storedAt } from '#server/testing/world.ts'

const text = [
  ['content', 'とどきますように'],
  ['type', '1'],
] as const

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('adding a post', () => {
    let world: World
    let creator: Member
    let fan: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      creator = await identify(world, await signUp(world))
      fan = await signUp(world)
    })
    afterAll(() => world.close())

    const count = async (from: string) => {
      const { rows } = await world.database.executeSql(`select count(*)::int as n from ${from}`)
      return (rows[0] as { n: number }).n
    }

    test('fifty simultaneous requests with one key add one post, and all get its id', async () => {
      const before = await count('posts')
      const key = newId()
      const image = await upload(world, creator, await jpeg(), 'a.jpg')
      const fields = [...text, ['has_image_file[]', image]] as const
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => addPost(world, creator, fields, key)),
      )
      expect(replies.map((it) => it.statusCode)).toEqual(replies.map(() => 200))
      expect(new Set(replies.map(postIdOf)).size).toBe(1)
      expect(await count('posts')).toBe(before + 1)
      expect(await count(`pgboss.job where name = 'media.picture' and data->>'mediaId' = '${image}'`)).toBe(1)
    })

    test('fifty simultaneous requests with inline pictures store one picture', async () => {
      const before = await count('uploads')
      const uploads = storedAt(world, 'uploads')
      const files = await readdir(uploads)
      const key = newId()
      const fields = [...text, ['image_file[]', { name: 'a.jpg', bytes: await jpeg() }]] as const
      const repeated = vi.spyOn(world.deps.metrics, 'repeated')
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => addPost(world, creator, fields, key)),
      )
      expect(repeated.mock.calls).toEqual(Array.from({ length: 49 }, () => ['post']))
      repeated.mockRestore()
      expect(new Set(replies.map(postIdOf)).size).toBe(1)
      expect(await count('uploads')).toBe(before + 1)
      expect((await readdir(uploads)).filter((it) => !files.includes(it))).toHaveLength(1)
    })

    test('the default blurred picture is not stored, another one is', async () => {
      const priced = [
        ['content', '有料の写真'],
        ['type', '3'],
        ['price', '500'],
        ['image_file[]', { name: 'a.jpg', bytes: await jpeg() }],
      ] as const
      const before = await count('uploads')
      const byDefault = { name: 'blurred.png', bytes: Buffer.from(defaultBlurredImage()) }
      postIdOf(await addPost(world, creator, [...priced, ['blurred_image_file', byDefault]], newId()))
      expect(await count('uploads')).toBe(before + 1)
      const own = { name: 'blurred.jpg', bytes: await jpeg() }
      postIdOf(await addPost(world, creator, [...priced, ['blurred_image_file', own]], newId()))
      expect(await count('uploads')).toBe(before + 3)
    })

    test('a repeated request gets the reply of the first one, even with another text', async () => {
      const key = newId()
      const first = await addPost(world, creator, text, key)
      const again = await addPost(
        world,
        creator,
        [
          ['content', ' '],
          ['type', '1'],
        ],
        key,
      )
      expect([again.statusCode, again.body]).toEqual([200, first.body])
    })

    test('the same key of another person adds another post', async () => {
      const key = newId()
      const first = postIdOf(await addPost(world, creator, text, key))
      expect(postIdOf(await addPost(world, fan, text, key))).not.toBe(first)
    })

    test('without a key every request adds a post', async () => {
      const [one, two] = [await addPost(world, creator, text), await addPost(world, creator, text)]
      expect(postIdOf(one)).not.toBe(postIdOf(two))
    })

    test('an upload that a post holds is a conflict for the next post, which is not added', async () => {
      const image = await upload(world, creator, await jpeg(), 'a.jpg')
      const fields = [...text, ['has_image_file[]', image]] as const
      await addPost(world, creator, fields, newId())
      const before = await count('posts')
      const reply = await addPost(world, creator, fields, newId())
      expect([reply.statusCode, errorOf(reply)]).toEqual([
        409,
        { code: 'conflict', fields: { [image]: 'unknown_upload' } },
      ])
      expect(await count('posts')).toBe(before)
    })

    test('of eight simultaneous posts with the same upload one is added', async () => {
      const image = await upload(world, creator, await jpeg(), 'a.jpg')
      const fields = [...text, ['has_image_file[]', image]] as const
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => addPost(world, creator, fields, newId())),
      )
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([
        200,
        ...Array.from({ length: 7 }, () => 409),
      ])
    })

    test('descriptions belong to the images in their order, for uploads and inline pictures', async () => {
      const [a, b] = [
        await upload(world, creator, await jpeg(), 'a.jpg'),
        await upload(world, creator, await jpeg(), 'b.jpg'),
      ]
      const alts = [
        ['image_alt[]', '朝の海\r\n左に灯台'],
        ['image_alt[]', ''],
      ] as const
      const uploaded = [['has_image_file[]', b] as const, ['has_image_file[]', a] as const]
      const inline = [
        ['image_file[]', { name: 'a.jpg', bytes: await jpeg() }],
        ['image_file[]', { name: 'b.jpg', bytes: await jpeg() }],
      ] as const
      for (const images of [uploaded, inline]) {
        const id = postIdOf(await addPost(world, creator, [...text, ...images, ...alts], newId()))
        const { access } = (await call(world, creator, 'GET', `/posts/${id}`)).json()
        expect(access.media.map((it: { alt: string }) => it.alt)).toEqual(['朝の海\n左に灯台', ''])
        if (images === uploaded) expect(access.media.map((it: { id: string }) => it.id)).toEqual([b, a])
      }
    })

    test('twenty simultaneous releases of a post have one release time and one job', async () => {
      const id = postIdOf(await addPost(world, creator, text, newId()))
      const release = () => call(world, creator, 'POST', `/post/release-uploaded/${id}`)
      const replies = await Promise.all(Array.from({ length: 20 }, release))
      world.clock.now += 60_000
      replies.push(await release())
      expect(new Set(replies.map((it) => it.body)).size).toBe(1)
      expect(replies[0]?.json()).toMatchObject({ data: { id } })
      expect(await count(`pgboss.job where name = 'post.released' and data->>'postId' = '${id}'`)).toBe(1)
    })

    test('only its author can release a post', async () => {
      const id = postIdOf(await addPost(world, creator, text, newId()))
      const reply = await call(world, fan, 'POST', `/post/release-uploaded/${id}`)
      expect([reply.statusCode, errorOf(reply)]).toEqual([404, { code: 'not_found' }])
      expect(errorOf(await call(world, fan, 'GET', `/posts/${id}`)).code).toBe('not_found')
      expect((await call(world, creator, 'GET', `/posts/${id}`)).json()).toMatchObject({ released_at: null })
    })
  })
})
