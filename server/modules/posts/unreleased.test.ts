// Removal of unreleased posts: by their author, or after a week.
import { mkdir, stat } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { addAwaited, chunksOf, longVideo, release, sendAll, sendChunk } from '#server/testing/media/chunks.ts'
import {
  addPost,
  call,
  errorOf,
  head,
  type Member,
  postIdOf,
  type Reply,
  signInAgain,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { storedBytes } from '#server/testing/media/uploads.ts'
import { expireUploads } from '#server/store/media/uploads.ts'
import { databases, openWorld, type World, storedAt } from '#server/testing/world.ts'
import { reapUnreleased, UNRELEASED_LIFE, WITHDRAWN_LIFE } from './unreleased.ts'

const DAY = 24 * 3600 * 1000
const answer = (reply: Reply) => [reply.statusCode, errorOf(reply)]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an unreleased post', () => {
    let world: World
    let creator: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      creator = await signUp(world)
    })

    const withdraw = (id: string, as: Member | null = creator) =>
      call(world, as, 'DELETE', `/post/unreleased/${id}`)
    const withImage = (image: string, content: string) =>
      [
        ['type', '1'],
        ['content', content],
        ['has_image_file[]', image],
      ] as const

    test('that is withdrawn leaves its uploads to the next post, which has another key', async () => {
      const [key, image] = [newId(), await upload(world, creator, await jpeg(), 'a.jpg')]
      const first = postIdOf(await addPost(world, creator, withImage(image, '前'), key))
      expect((await withdraw(first)).json()).toEqual({ data: { id: first } })
      expect(errorOf(await call(world, creator, 'GET', `/posts/${first}`)).code).toBe('not_found')
      const second = postIdOf(await addPost(world, creator, withImage(image, '後'), newId()))
      expect(second).not.toBe(first)
      expect((await release(world, creator, second)).statusCode).toBe(200)
      expect((await call(world, creator, 'GET', `/posts/${second}`)).json()).toMatchObject({
        access: { content: '後', media: [{ id: image }] },
      })
    })

    test('that is withdrawn restarts the lifetime of its uploads, which the draft may need again', async () => {
      const image = await upload(world, creator, await jpeg(), 'a.jpg')
      const post = postIdOf(await addPost(world, creator, withImage(image, '前'), newId()))
      world.clock.now += 6 * DAY
      await withdraw(post)
      const expire = async () =>
        (await expireUploads(world.deps.db, world.clock.now - 7 * DAY, world.clock.now)).map((it) => it.id)
      world.clock.now += 7 * DAY - 1000
      expect(await expire()).not.toContain(image)
      world.clock.now += 2000
      expect(await expire()).toContain(image)
    })

    test('that is withdrawn is not added again by its own late request', async () => {
      const key = newId()
      const text = [
        ['type', '1'],
        ['content', '一度だけ'],
      ] as const
      const first = postIdOf(await addPost(world, creator, text, key))
      expect((await withdraw(first)).statusCode).toBe(200)
      expect(answer(await addPost(world, creator, text, key))).toEqual([410, { code: 'gone' }])
      // None of several requests that arrive during the withdrawal adds another post.
      const other = newId()
      const post = postIdOf(await addPost(world, creator, text, other))
      const late = await Promise.all([
        addPost(world, creator, text, other),
        withdraw(post),
        addPost(world, creator, text, other),
        addPost(world, creator, text, other),
      ])
      expect(late.filter((it) => ![200, 410].includes(it.statusCode))).toEqual([])
      expect(answer(await addPost(world, creator, text, other))).toEqual([410, { code: 'gone' }])
      // The same key of another person adds a post. After 400 days no copy of a device is expected to send the key.
      expect((await addPost(world, await signUp(world), text, key)).statusCode).toBe(200)
      expect(WITHDRAWN_LIFE).toBe(400 * 24 * 3600 * 1000)
      world.clock.now += WITHDRAWN_LIFE - DAY
      await reapUnreleased(world.deps)
      creator = await signInAgain(world, creator)
      expect(answer(await addPost(world, creator, text, key))).toEqual([410, { code: 'gone' }])
      world.clock.now += DAY + 1
      await reapUnreleased(world.deps)
      creator = await signInAgain(world, creator)
      expect((await addPost(world, creator, text, key)).statusCode).toBe(200)
    })

    test('that is withdrawn loses the bytes of its chunks', async () => {
      const { postId, videoId } = await addAwaited(world, creator)
      const [first] = chunksOf(longVideo()) as [Parameters<typeof sendChunk>[3]]
      await sendChunk(world, creator, videoId, first)
      await withdraw(postId)
      await expect(storedBytes(world, videoId)).rejects.toMatchObject({ code: 'ENOENT' })
      expect(answer(await sendChunk(world, creator, videoId, first))).toEqual([404, { code: 'not_found' }])
    })

    test('that is withdrawn leaves no media made from its files', async () => {
      const image = await upload(world, creator, await jpeg(), 'a.jpg')
      const post = postIdOf(await addPost(world, creator, withImage(image, '前'), newId()))
      const made = storedAt(world, 'media', image)
      await mkdir(made, { recursive: true })
      expect((await withdraw(post)).statusCode).toBe(200)
      await expect(stat(made)).rejects.toThrow('ENOENT')
    })

    test('can be withdrawn once, and only by its author', async () => {
      const { postId } = await addAwaited(world, creator)
      expect(answer(await withdraw(postId, await signUp(world)))).toEqual([404, { code: 'not_found' }])
      expect((await withdraw(postId)).statusCode).toBe(200)
      expect(answer(await withdraw(postId))).toEqual([404, { code: 'not_found' }])
    })

    test('that has been released is a conflict and stays', async () => {
      const { postId, videoId } = await addAwaited(world, creator)
      await sendAll(world, creator, videoId, fixture('h264.mp4'))
      await release(world, creator, postId)
      expect(answer(await withdraw(postId))).toEqual([409, { code: 'conflict' }])
      expect((await call(world, creator, 'GET', `/posts/${postId}`)).statusCode).toBe(200)
    })

    test('is either released or withdrawn by two simultaneous requests', async () => {
      for (let i = 0; i < 5; i++) {
        const { postId, videoId } = await addAwaited(world, creator)
        await sendAll(world, creator, videoId, fixture('h264.mp4'))
        const replies = await Promise.all([release(world, creator, postId), withdraw(postId)])
        const statuses = replies.map((it) => it.statusCode)
        const shown = (await call(world, creator, 'GET', `/posts/${postId}`)).statusCode
        expect([[200, 409, 200].join(), [404, 200, 404].join()]).toContain([...statuses, shown].join())
      }
    })

    test('that is released while abandoned posts are removed stays, and the removal goes on after it', async () => {
      const { postId, videoId } = await addAwaited(world, creator)
      const video = fixture('h264.mp4')
      await sendAll(world, creator, videoId, video)
      const text = [
        ['type', '1'],
        ['content', 'わすれられた'],
      ] as const
      const forgotten = postIdOf(await addPost(world, creator, text, newId()))
      world.clock.now += UNRELEASED_LIFE + 1
      const { transaction } = world.deps
      let begun = 0
      const deps: Deps = {
        ...world.deps,
        async transaction(work) {
          // The list of abandoned posts has been read, and no post of it is removed yet.
          if (begun++ === 0) expect((await release(world, creator, postId)).statusCode).toBe(200)
          return transaction(work)
        },
      }
      await reapUnreleased(deps)
      expect((await call(world, creator, 'GET', `/posts/${postId}`)).json().released_at).not.toBeNull()
      expect((await storedBytes(world, videoId)).equals(video)).toBe(true)
      expect(answer(await call(world, creator, 'GET', `/posts/${forgotten}`))).toEqual([
        404,
        { code: 'not_found' },
      ])
    })

    test('that is abandoned is removed on every page of the list', async () => {
      const text = [
        ['type', '1'],
        ['content', 'わすれられた'],
      ] as const
      const ids = [postIdOf(await addPost(world, creator, text, newId()))]
      const { transaction, clock } = world.deps
      world.clock.now += UNRELEASED_LIFE + 1
      const deps: Deps = {
        ...world.deps,
        async transaction(work) {
          // Another post that is as old appears after the first page was read.
          if (ids.length === 1) {
            const late = postIdOf(await addPost(world, creator, text, newId()))
            ids.push(late)
            const old = new Date(clock() - UNRELEASED_LIFE - 1)
            await world.database.executeSql('update posts set created_at = $1 where id = $2', [old, late])
          }
          return transaction(work)
        },
      }
      await reapUnreleased(deps)
      const found = await world.database.executeSql('select id from posts where id = any($1)', [ids])
      expect([ids.length, found.rows]).toEqual([2, []])
    })

    test('that is withdrawn by its author while abandoned posts are removed ends no removal of the others', async () => {
      const text = [
        ['type', '1'],
        ['content', 'わすれられた'],
      ] as const
      const add = async () => postIdOf(await addPost(world, creator, text, newId()))
      const [first, second] = [await add(), await add()]
      world.clock.now += UNRELEASED_LIFE + 1
      creator = await signInAgain(world, creator)
      const { transaction } = world.deps
      let begun = 0
      const deps: Deps = {
        ...world.deps,
        async transaction(work) {
          if (begun++ === 0) expect((await withdraw(first)).statusCode).toBe(200)
          return transaction(work)
        },
      }
      await reapUnreleased(deps)
      expect(answer(await withdraw(second))).toEqual([404, { code: 'not_found' }])
    })

    test('that is withdrawn while a request changes its upload waits for the end of that request', async () => {
      const { postId, videoId } = await addAwaited(world, creator)
      const [first] = chunksOf(longVideo()) as [Parameters<typeof sendChunk>[3]]
      await sendChunk(world, creator, videoId, first)
      const { promise: waiting, resolve } = Promise.withResolvers<void>()
      let withdrawn: Promise<Reply> | undefined
      const during = async () => {
        withdrawn = withdraw(postId)
        await Promise.race([waiting, withdrawn])
        expect((await storedBytes(world, videoId)).equals(first.bytes)).toBe(true)
      }
      await world.deps.uploadLocks.withLock(videoId, during, resolve)
      expect((await withdrawn)?.statusCode).toBe(200)
      await expect(storedBytes(world, videoId)).rejects.toMatchObject({ code: 'ENOENT' })
    })

    test('is removed a week after its last activity, with its key and bytes; a released one stays', async () => {
      const [key, image] = [newId(), await upload(world, creator, await jpeg(), 'a.jpg')]
      await addPost(world, creator, withImage(image, 'わすれられた'), key)
      const made = storedAt(world, 'media', image)
      await mkdir(made, { recursive: true })
      const abandoned = await addAwaited(world, creator)
      const active = await addAwaited(world, creator)
      const released = await addAwaited(world, creator)
      await sendAll(world, creator, released.videoId, fixture('h264.mp4'))
      await release(world, creator, released.postId)
      const [first, second] = chunksOf(longVideo())
      if (!first || !second) throw new Error('the long video has fewer than two chunks')
      await sendChunk(world, creator, abandoned.videoId, first)
      await sendChunk(world, creator, active.videoId, first)

      expect(UNRELEASED_LIFE).toBe(7 * 24 * 3600 * 1000)
      world.clock.now += UNRELEASED_LIFE - 1000
      await sendChunk(world, creator, active.videoId, second)
      world.clock.now += 2000
      await reapUnreleased(world.deps)

      expect(answer(await sendChunk(world, creator, abandoned.videoId, second))).toEqual([
        410,
        { code: 'gone' },
      ])
      expect((await head(world, creator, image)).statusCode).toBe(410)
      for (const id of [abandoned.videoId, image])
        await expect(storedBytes(world, id)).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(stat(made)).rejects.toThrow('ENOENT')
      const again = await upload(world, creator, await jpeg(), 'a.jpg', image)
      expect((await addPost(world, creator, withImage(again, 'また'), key)).statusCode).toBe(200)
      expect((await sendChunk(world, creator, active.videoId, second)).json().data.received).toBe(2)
      expect((await storedBytes(world, released.videoId)).equals(fixture('h264.mp4'))).toBe(true)
      expect((await call(world, creator, 'GET', `/posts/${released.postId}`)).statusCode).toBe(200)
    })
  })
})
