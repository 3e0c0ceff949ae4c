// Account deletion after seven days: on time, once, despite interruptions, never after a cancellation.
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import type { Deps } from '#server/deps.ts'
import { findUser } from '#server/store/people/people.ts'
import { leave, secretOf } from '#server/testing/people/leaving.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { addPost, call, errorOf, type Member, noise, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World, storedAt } from '#server/testing/world.ts'
import { deleteDueAccounts } from './erase.ts'

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

    const isDeleted = async () => {
      const { rows } = await world.database.executeSql(
        `select (select count(*)::int from uploads where owner_id = $1) as uploads,
                (select count(*)::int from posts where author_id = $1) as posts,
                (select count(*)::int from deletions where user_id = $1) as deletions`,
        [leaver.id],
      )
      const counts = rows[0] as { uploads: number; posts: number; deletions: number }
      return counts.uploads + counts.posts + counts.deletions === 0
    }
    const deletedEmails = async () =>
      (await emailsTo(world, leaver.email)).filter((it) => it.is === 'deleted').length
    const signIn = () =>
      call(world, null, 'POST', '/auth/sign-in', { email: leaver.email, password: 'todoke-1234' })

    test('happens after seven days, to the minute', async () => {
      world.clock.now += LEAVING_MS - 60_000
      await deleteDueAccounts(world.deps)
      expect([await isDeleted(), (await signIn()).statusCode]).toEqual([false, 200])
      world.clock.now += 60_000
      await deleteDueAccounts(world.deps)
      expect([await isDeleted(), await deletedEmails()]).toEqual([true, 1])
    })

    test('ends every session, and signing in is refused as for an unknown address', async () => {
      world.clock.now += LEAVING_MS
      await deleteDueAccounts(world.deps)
      expect(errorOf(await call(world, leaver, 'GET', '/auth/session')).code).toBe('unauthenticated')
      const unknown = await call(world, null, 'POST', '/auth/sign-in', {
        email: 'nobody@example.com',
        password: 'todoke-1234',
      })
      const deleted = await signIn()
      expect([deleted.statusCode, deleted.body]).toEqual([unknown.statusCode, unknown.body])
    })

    test('removes emails that were not sent yet, and sends the last one', async () => {
      world.clock.now += LEAVING_MS
      await deleteDueAccounts(world.deps)
      expect(await emailsTo(world, leaver.email)).toEqual([{ is: 'deleted' }])
    })

    test('that is cancelled after it was listed removes no file', async () => {
      const uploads = storedAt(world, 'uploads')
      const before = await readdir(uploads)
      world.clock.now += LEAVING_MS
      const exclusively: Deps['database']['exclusively'] = async (name, work) => {
        if (name === `leaving ${leaver.id}`) await call(world, leaver, 'DELETE', '/user/deletion')
        return world.deps.database.exclusively(name, work)
      }
      await deleteDueAccounts({ ...world.deps, database: { ...world.deps.database, exclusively } })
      expect((await readdir(uploads)).toSorted()).toEqual(before.toSorted())
      expect((await findUser(world.deps.db, leaver.id))?.email).toBe(leaver.email)
    })

    test('that was cancelled does not happen', async () => {
      await call(world, leaver, 'DELETE', '/user/deletion')
      world.clock.now += LEAVING_MS
      await deleteDueAccounts(world.deps)
      expect((await findUser(world.deps.db, leaver.id))?.email).toBe(leaver.email)
      expect((await readdir(storedAt(world, 'uploads'))).length).toBeGreaterThanOrEqual(3)
    })

    test('that has begun cannot be cancelled', async () => {
      const secret = secretOf(await emailsTo(world, leaver.email), 'deletion_asked')
      world.clock.now += LEAVING_MS
      await expect(deleteDueAccounts(interruptedAt(world.deps, 1))).rejects.toThrow('could not be deleted')
      const reply = await call(world, null, 'POST', '/user/deletion/undo', { token: secret })
      expect(errorOf(reply).code).toBe('link_invalid')
      await deleteDueAccounts(world.deps)
      expect(await isDeleted()).toBe(true)
    })

    test('that is interrupted at any file or at the email continues at the next sweep and sends one email', async () => {
      world.clock.now += LEAVING_MS
      for (let step = 1; step <= 7; step++) {
        await expect(deleteDueAccounts(interruptedAt(world.deps, step)), `step ${step}`).rejects.toThrow(
          'could not be deleted',
        )
        expect([await isDeleted(), await deletedEmails()]).toEqual([false, 0])
      }
      await deleteDueAccounts(world.deps)
      await deleteDueAccounts(world.deps)
      expect([await isDeleted(), await deletedEmails()]).toEqual([true, 1])
    })

    test('in five concurrent sweeps happens once', async () => {
      world.clock.now += LEAVING_MS
      await Promise.all(Array.from({ length: 5 }, () => deleteDueAccounts(world.deps)))
      await deleteDueAccounts(world.deps)
      expect([await isDeleted(), await deletedEmails()]).toEqual([true, 1])
    })

    test('that fails does not stop another one', async () => {
      const next = await signUp(world)
      world.clock.now += 1
      await leave(world, next)
      world.clock.now += LEAVING_MS
      await expect(deleteDueAccounts(interruptedAt(world.deps, 1))).rejects.toThrow('could not be deleted')
      expect((await findUser(world.deps.db, next.id))?.name).toBe('退会したユーザー')
      expect(await isDeleted()).toBe(false)
      await deleteDueAccounts(world.deps)
    })

    test('waits for work on a file that is under way', async () => {
      const [name = ''] = (
        await world.database.executeSql('select id from uploads where owner_id = $1', [leaver.id])
      ).rows.map((row) => (row as { id: string }).id)
      world.clock.now += LEAVING_MS
      for (const work of ['media', 'ladder'])
        await world.database.exclusively(`${work} ${name}`, async () => {
          await deleteDueAccounts(world.deps)
          expect(await isDeleted()).toBe(false)
        })
      await deleteDueAccounts(world.deps)
      expect(await isDeleted()).toBe(true)
    })

    test('frees the address of the account', async () => {
      world.clock.now += LEAVING_MS
      await deleteDueAccounts(world.deps)
      const { rows } = await world.database.executeSql('select id from users where email = $1', [
        leaver.email,
      ])
      expect(rows).toEqual([])
    })
  })
})

/** The same dependencies, whose removal of a file or email with this number fails. */
function interruptedAt(deps: Deps, step: number): Deps {
  const { objects } = deps.storage
  let count = 0
  const failOr = <T>(work: () => Promise<T>): Promise<T> =>
    ++count === step ? Promise.reject(new Error('the process was killed')) : work()
  return {
    ...deps,
    storage: {
      ...deps.storage,
      objects: {
        ...objects,
        remove: (key) => failOr(() => objects.remove(key)),
        removeFolder: (key) => failOr(() => objects.removeFolder(key)),
      },
    },
    transaction: (work) =>
      deps.transaction((unit) => work({ ...unit, email: (...it) => failOr(() => unit.email(...it)) })),
  }
}
