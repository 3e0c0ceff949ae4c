// The deletion after seven days: at its time, once, after any interruption, and never after it was cancelled.
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import type { Deps } from '#server/deps.ts'
import { findUser } from '#server/store/people/people.ts'
import { leave, secretOf } from '#server/testing/people/leaving.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { addPost, call, errorOf, type Member, noise, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { eraseDue } from './erase.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a deletion', () => {
    let world: World
    let leaver: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      leaver = await signUp(world)
      for (let i = 0; i < 2; i++) await upload(world, leaver, noise(10), 'a.bin')
      const image = await upload(world, leaver, await jpeg(), 'a.jpg')
      await addPost(world, leaver, [
        ['type', '1'],
        ['has_image_file[]', image],
      ])
      await leave(world, leaver)
    })

    const isGone = async () => {
      const { rows } = await world.database.executeSql(
        `select (select count(*)::int from uploads where owner_id = $1) as uploads,
                (select count(*)::int from posts where author_id = $1) as posts,
                (select count(*)::int from deletions where user_id = $1) as deletions`,
        [leaver.id],
      )
      const left = rows[0] as { uploads: number; posts: number; deletions: number }
      return left.uploads + left.posts + left.deletions === 0
    }
    const goodbyes = async () =>
      (await emailsTo(world, leaver.email)).filter((it) => it.is === 'deleted').length
    const signIn = () =>
      call(world, null, 'POST', '/auth/sign-in', { email: leaver.email, password: 'todoke-1234' })

    test('waits seven days to the minute', async () => {
      world.clock.now += LEAVING_MS - 60_000
      await eraseDue(world.deps)
      expect([await isGone(), (await signIn()).statusCode]).toEqual([false, 200])
      world.clock.now += 60_000
      await eraseDue(world.deps)
      expect([await isGone(), await goodbyes()]).toEqual([true, 1])
    })

    test('ends every session, and signing in is refused as for an unknown address', async () => {
      world.clock.now += LEAVING_MS
      await eraseDue(world.deps)
      expect(errorOf(await call(world, leaver, 'GET', '/auth/session')).code).toBe('unauthenticated')
      const unknown = await call(world, null, 'POST', '/auth/sign-in', {
        email: 'nobody@example.com',
        password: 'todoke-1234',
      })
      const gone = await signIn()
      expect([gone.statusCode, gone.body]).toEqual([unknown.statusCode, unknown.body])
    })

    test('recalls emails that have not gone out, and sends the last one', async () => {
      world.clock.now += LEAVING_MS
      await eraseDue(world.deps)
      expect(await emailsTo(world, leaver.email)).toEqual([{ is: 'deleted' }])
    })

    test('that is taken back between the list and its turn removes no file', async () => {
      const { uploads } = world.deps.files
      const before = await readdir(uploads)
      world.clock.now += LEAVING_MS
      const exclusively: Deps['database']['exclusively'] = async (name, work) => {
        if (name === `leaving ${leaver.id}`) await call(world, leaver, 'DELETE', '/user/deletion')
        return world.deps.database.exclusively(name, work)
      }
      await eraseDue({ ...world.deps, database: { ...world.deps.database, exclusively } })
      expect((await readdir(uploads)).toSorted()).toEqual(before.toSorted())
      expect((await findUser(world.deps.db, leaver.id))?.email).toBe(leaver.email)
    })

    test('that was taken back does not happen', async () => {
      await call(world, leaver, 'DELETE', '/user/deletion')
      world.clock.now += LEAVING_MS
      await eraseDue(world.deps)
      expect((await findUser(world.deps.db, leaver.id))?.email).toBe(leaver.email)
      expect((await readdir(world.deps.files.uploads)).length).toBeGreaterThanOrEqual(3)
    })

    test('that has begun cannot be taken back any more', async () => {
      const secret = secretOf(await emailsTo(world, leaver.email), 'deletion_asked')
      world.clock.now += LEAVING_MS
      await expect(eraseDue(cutAt(world.deps, 1))).rejects.toThrow('could not be deleted')
      const reply = await call(world, null, 'POST', '/user/deletion/undo', { token: secret })
      expect(errorOf(reply).code).toBe('link_invalid')
      await eraseDue(world.deps)
      expect(await isGone()).toBe(true)
    })

    test('cut at any file, or at the email, goes on at the next sweep and says goodbye once', async () => {
      world.clock.now += LEAVING_MS
      for (let cut = 1; cut <= 7; cut++) {
        await expect(eraseDue(cutAt(world.deps, cut)), `cut ${cut}`).rejects.toThrow('could not be deleted')
        expect([await isGone(), await goodbyes()]).toEqual([false, 0])
      }
      await eraseDue(world.deps)
      await eraseDue(world.deps)
      expect([await isGone(), await goodbyes()]).toEqual([true, 1])
    })

    test('swept by five at once happens once', async () => {
      world.clock.now += LEAVING_MS
      await Promise.all(Array.from({ length: 5 }, () => eraseDue(world.deps)))
      await eraseDue(world.deps)
      expect([await isGone(), await goodbyes()]).toEqual([true, 1])
    })

    test('that fails keeps no other waiting', async () => {
      const next = await signUp(world)
      world.clock.now += 1
      await leave(world, next)
      world.clock.now += LEAVING_MS
      await expect(eraseDue(cutAt(world.deps, 1))).rejects.toThrow('could not be deleted')
      expect((await findUser(world.deps.db, next.id))?.name).toBe('退会したユーザー')
      expect(await isGone()).toBe(false)
      await eraseDue(world.deps)
    })

    test('waits for work on a file that is under way, so that nothing is made of it afterwards', async () => {
      const [name = ''] = (
        await world.database.executeSql('select id from uploads where owner_id = $1', [leaver.id])
      ).rows.map((row) => (row as { id: string }).id)
      world.clock.now += LEAVING_MS
      for (const work of ['media', 'ladder'])
        await world.database.exclusively(`${work} ${name}`, async () => {
          await eraseDue(world.deps)
          expect(await isGone()).toBe(false)
        })
      await eraseDue(world.deps)
      expect(await isGone()).toBe(true)
    })

    test('leaves the address free for somebody new', async () => {
      world.clock.now += LEAVING_MS
      await eraseDue(world.deps)
      const { rows } = await world.database.executeSql('select id from users where email = $1', [
        leaver.email,
      ])
      expect(rows).toEqual([])
    })
  })
})

/** The same world, whose process dies at the so-manieth step that changes something. */
function cutAt(deps: Deps, step: number): Deps {
  let steps = 0
  const dieOr = <T>(work: () => Promise<T>): Promise<T> =>
    ++steps === step ? Promise.reject(new Error('the process died')) : work()
  return {
    ...deps,
    files: { ...deps.files, remove: (file) => dieOr(() => deps.files.remove(file)) },
    transaction: (work) =>
      deps.transaction((unit) => work({ ...unit, email: (...it) => dieOr(() => unit.email(...it)) })),
  }
}
