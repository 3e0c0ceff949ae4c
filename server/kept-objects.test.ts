// Objects that wait until no backup needs them, through the modules that remove them.
import { readdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import type { ObjectKey } from '#server/adapters/files/object-store.ts'
import { commands } from '#server/cli/commands.ts'
import { deleteDueAccounts } from '#server/modules/leaving/erase.ts'
import { removeMedia } from '#server/modules/media/remove.ts'
import { removeOldUploads, UNHELD_LIFE } from '#server/modules/uploads/expiry.ts'
import { addAwaited, sendAll } from '#server/testing/media/chunks.ts'
import { beginUpload } from '#server/testing/media/uploads.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { addPost, call, type Member, postIdOf, signUp, upload } from '#server/testing/people/members.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, storedAt, type World } from '#server/testing/world.ts'
import { storePicture } from './services/media/store-picture.ts'
import { readErasures } from './services/backup/erasure-log.ts'
import { sweepRemovals } from './services/backup/kept-objects.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('while backups are retained for 14 days', () => {
    let world: World
    let studio: Studio
    let person: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { backupDays: 14 } })
      studio = await openStudio(world)
      person = studio.creator
    })
    afterAll(() => world.close())

    const sizeOf = (key: ObjectKey) => world.deps.storage.objects.sizeOf(key)
    const after = async (ms: number) => {
      world.clock.now += ms
      await sweepRemovals(world.deps)
    }
    const pictureOf = async (as: Member) => upload(world, as, await jpeg(), 'a.jpg')

    test('a removed media is stored for 16 days more, and is in no list meanwhile', async () => {
      const id = await pictureOf(person)
      await removeMedia(world.deps, id)
      const names: string[] = []
      for await (const page of world.deps.storage.objects.list('uploads'))
        names.push(...page.map((it) => it.name))
      expect(names).not.toContain(id)
      // Sweeps of files without a row run every hour.
      await removeOldUploads(world.deps)
      await after(16 * DAY - 1000)
      await removeOldUploads(world.deps)
      expect(await sizeOf(`uploads/${id}`)).toBeGreaterThan(0)
      const extra: string[] = []
      await commands['storage check']?.run({ deps: world.deps, args: [], print: (it) => void extra.push(it) })
      expect(extra.join()).not.toContain(id)
      await after(1000)
      expect(await sizeOf(`uploads/${id}`)).toBeUndefined()
      expect(await rowsWaiting()).toEqual([])
    })

    const rowsWaiting = async () =>
      (await world.database.executeSql('select key, owner_id from object_removals order by key')).rows

    test('an expired upload waits only if its last byte had arrived', async () => {
      const [finished, unfinished] = [await pictureOf(person), await beginUpload(world, person)]
      world.clock.now += UNHELD_LIFE + 1000
      await removeOldUploads(world.deps)
      expect(await rowsWaiting()).toEqual([{ key: `uploads/${finished}`, owner_id: person.id }])
      expect(await sizeOf(`uploads/${unfinished}`)).toBeUndefined()
      await after(16 * DAY)
      expect(await sizeOf(`uploads/${finished}`)).toBeUndefined()
    })

    test('an upload whose id is used again meanwhile stays', async () => {
      const id = await pictureOf(person)
      world.clock.now += UNHELD_LIFE + 1000
      await removeOldUploads(world.deps)
      expect(await rowsWaiting()).toHaveLength(1)
      world.clock.now += 15 * DAY
      await upload(world, person, await jpeg(), 'a.jpg', id)
      await after(DAY)
      expect(await sizeOf(`uploads/${id}`)).toBeGreaterThan(0)
      expect(await rowsWaiting()).toEqual([])
    })

    test('a file whose request is refused is removed at once', async () => {
      const before = await readdir(storedAt(world, 'uploads'))
      const file = world.deps.storage.scratch.newPath()
      await writeFile(file, await jpeg())
      const received = [{ field: 'picture', path: file, filename: 'a.jpg', size: 1 }]
      const refused = storePicture(world.deps, person.id, received, () =>
        Promise.reject(new Error('refused')),
      )
      await expect(refused).rejects.toThrow('refused')
      expect(await readdir(storedAt(world, 'uploads'))).toEqual(before)
      expect(await rowsWaiting()).toEqual([])
    })

    test('a picture inside a refused post is removed at once', async () => {
      const key = newId()
      const author = await signUp(world)
      const fields = [
        ['type', '1'],
        ['content', '写真'],
        ['image_file[]', { name: 'a.jpg', bytes: await jpeg() }],
      ] as const
      const withdrawn = postIdOf(await addPost(world, author, [...fields], key))
      await call(world, author, 'DELETE', `/post/unreleased/${withdrawn}`)
      const before = await rowsWaiting()
      expect((await addPost(world, author, [...fields], key)).statusCode).toBe(410)
      expect(await rowsWaiting()).toEqual(before)
      await after(16 * DAY)
    })

    test('the video of a withdrawn post waits with its owner, whom no row names any more', async () => {
      const author = await signUp(world)
      const { postId, videoId } = await addAwaited(world, author)
      await sendAll(world, author, videoId, fixture('h264.mp4'))
      const reply = await call(world, author, 'DELETE', `/post/unreleased/${postId}`)
      expect([reply.statusCode, await rowsWaiting()]).toEqual([
        200,
        [
          { key: `media/${videoId}`, owner_id: author.id },
          { key: `uploads/${videoId}`, owner_id: author.id },
        ],
      ])
      await after(16 * DAY)
      expect([await rowsWaiting(), await sizeOf(`uploads/${videoId}`)]).toEqual([[], undefined])
    })

    test('what waits of an erased account is removed with it, and the log of erasures has the account', async () => {
      const leaver = await signUp(world)
      const [shown, removed] = [await pictureOf(leaver), await pictureOf(leaver)]
      await removeMedia(world.deps, removed)
      expect(await rowsWaiting()).toEqual([
        { key: `media/${removed}`, owner_id: leaver.id },
        { key: `uploads/${removed}`, owner_id: leaver.id },
      ])
      await leave(world, leaver)
      world.clock.now += LEAVING_MS
      await deleteDueAccounts(world.deps)
      expect([await sizeOf(`uploads/${shown}`), await sizeOf(`uploads/${removed}`)]).toEqual([
        undefined,
        undefined,
      ])
      expect(await rowsWaiting()).toEqual([])
      const logged: object[] = []
      for await (const it of readErasures(world.deps.storage)) logged.push(it)
      expect(logged).toEqual([{ is: 'account', id: leaver.id }])
    })
  })
})
