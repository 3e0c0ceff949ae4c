// Removed media that come back: the same file, a changed copy, other pictures.
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { compareMadeMedia } from '#server/services/holds/removed-media.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { acting, deskIn } from '#server/testing/moderation/desk.ts'
import { makePictures, makeWaiting } from '#server/testing/moderation/jobs.ts'
import { addPost, call, type Member, postIdOf, signUp, upload } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

/** A picture of coloured shapes; another seed has others. */
function drawing(seed: number): Buffer {
  const shapes = Array.from({ length: 12 }, (_, i) => {
    const at = (n: number) => ((seed * 7919 + i * 104_729 + n * 1299) % 97) / 97
    return `<circle cx="${at(1) * 800}" cy="${at(2) * 600}" r="${40 + at(3) * 160}" fill="hsl(${at(4) * 360} 80% ${10 + at(5) * 80}%)"/>`
  })
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#eee"/>${shapes.join('')}</svg>`,
  )
}
const jpeg = (seed: number) => sharp(drawing(seed)).jpeg({ quality: 92 }).toBuffer()
/** Smaller, recompressed and a little brighter, as a screenshot of it is. */
const copy = async (of: Buffer) =>
  sharp(of).resize({ width: 500 }).modulate({ brightness: 1.05 }).jpeg({ quality: 60 }).toBuffer()

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('removed media', () => {
    let world: World
    let reader: Member
    let moderator: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      reader = await signUp(world)
      moderator = await desk.staff('moderator')
      return () => world.close()
    })
    const desk = deskIn(() => world)
    const work = () => makePictures(world)
    /** Publishes a picture. `first`: it is made before the release. */
    async function publish(bytes: Buffer, first: boolean): Promise<{ id: string; by: Member }> {
      const by = await signUp(world)
      const file = await upload(world, by, bytes, 'a.jpg')
      const id = postIdOf(
        await addPost(world, by, [
          ['content', '絵'],
          ['type', '1'],
          ['has_image_file[]', file],
        ]),
      )
      if (first) await work()
      await call(world, by, 'POST', `/post/release-uploaded/${id}`)
      await work()
      return { id, by }
    }
    const seen = async ({ id }: { id: string }) => outcomeOf(await call(world, reader, 'GET', `/posts/${id}`))
    const removed = async (seed: number) => {
      const bytes = await jpeg(seed)
      const { id } = await publish(bytes, true)
      await desk.report(reader, `post/${id}`)
      await desk.act(moderator, await desk.caseOf(id), { ...acting, content: 'remove' })
      await work()
      return { bytes, id, caseId: await desk.caseOf(id) }
    }

    test.each([
      ['the same file, before its release', 1, true, false],
      ['the same file, converted after its release', 2, false, false],
      ['a smaller copy of it, before its release', 3, true, true],
      ['a smaller copy of it, converted after its release', 4, false, true],
    ])('hold a post with %s, and its author reads why', async (_, seed, first, changed) => {
      const { bytes } = await removed(seed)
      const post = await publish(changed ? await copy(bytes) : bytes, first)
      expect(await seen(post)).toBe('not_found')
      expect((await call(world, post.by, 'GET', `/posts/${post.id}`)).json().held).toEqual({
        reason: 'media',
        word: '',
      })
      const row = (await desk.list(moderator, '?kind=post')).find((it) => it.target_id === post.id)
      expect(row?.hold).toMatchObject({ reason: 'media', state: 'open' })
      expect(row?.hold?.distance).toBeLessThanOrEqual(changed ? 6 : 0)
      // Approved, it is not held by another comparison.
      await desk.act(moderator, defined(row?.id), { is: 'approve' }, 0)
      await compareMadeMedia(world.deps, post.id)
      expect(await seen(post)).toBe(200)
    })

    test('are shown to no other person, when they are made after the release', async () => {
      const { bytes } = await removed(5)
      const by = await signUp(world)
      const file = await upload(world, by, await copy(bytes), 'a.jpg')
      const fields: [string, string][] = [
        ['content', '絵'],
        ['type', '1'],
        ['has_image_file[]', file],
      ]
      const id = postIdOf(await addPost(world, by, fields))
      await call(world, by, 'POST', `/post/release-uploaded/${id}`)
      const view = (await call(world, reader, 'GET', `/posts/${id}`)).json()
      expect(view.access.media).toMatchObject([{ state: 'processing' }])
      await makeWaiting(world)
      // The job that compares has not run.
      expect(await seen({ id })).toBe('not_found')
      expect((await call(world, by, 'GET', `/posts/${id}`)).json().held).toMatchObject({ reason: 'media' })
    })

    test('let other pictures pass, also those of one colour', async () => {
      await removed(11)
      const plain = (shade: number) =>
        sharp({
          create: { width: 800, height: 600, channels: 3, background: { r: shade, g: shade, b: shade } },
        })
          .jpeg()
          .toBuffer()
      const white = await publish(await plain(255), true)
      await desk.report(reader, `post/${white.id}`)
      await desk.act(moderator, await desk.caseOf(white.id), { ...acting, content: 'remove' })
      await work()
      for (const bytes of [await jpeg(12), await jpeg(13), await jpeg(14), await plain(250)])
        expect(await seen(await publish(bytes, true))).toBe(200)
    })

    test('leave the list when the measure is undone, also while its job waits', async () => {
      const { bytes, caseId } = await removed(21)
      await desk.undo(moderator, caseId)
      expect(await seen(await publish(bytes, true))).toBe(200)
      await desk.act(moderator, caseId, { ...acting, content: 'remove' })
      await desk.undo(moderator, caseId)
      await work()
      expect(await seen(await publish(bytes, true))).toBe(200)
    })
  })
})
