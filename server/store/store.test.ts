// The store on both databases: jobs, chunks, held uploads, idempotency keys.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { bothDatabases, openWorld, type World } from '#server/testing/world.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { awaitUpload, countChunk } from './posts/chunked.ts'
import type { Db } from './database.ts'
import { openJobs } from './jobs.ts'
import { findMedia, holdUploads, retryFailedMediaOf, setMediaFailed, setMediaReady } from './media/media.ts'
import { addPostOnce, attachMedia } from './posts/posts.ts'
import { claimUpload, expireUploads, findUpload, removeUpload } from './media/uploads.ts'

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the store', () => {
    let world: World
    let db: Db
    let owner: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      db = world.deps.db
      owner = await signUp(world)
    })
    afterAll(() => world.close())

    const claimed = async (now = world.clock.now) => {
      const id = newId()
      await claimUpload(db, { id, ownerId: owner.id, length: 1, metadata: { filename: 'あ.jpg' } }, now)
      return id
    }
    const asImage = (id: string) => ({ id, kind: 'image' as const, mime: 'image/jpeg', duration: null })

    test('metadata of an upload is stored unchanged', async () => {
      expect((await findUpload(db, await claimed()))?.metadata).toEqual({ filename: 'あ.jpg' })
    })

    test('a job of a transaction that fails never runs; one of a transaction that commits runs', async () => {
      const done: string[] = []
      await world.deps.jobs.work('post.released', 1, async ({ postId }) => void done.push(postId))
      const lost = db.transaction(async (tx) => {
        await world.deps.jobs.enqueue(tx, 'post.released', { postId: 'lost' })
        throw new Error('rolled back')
      })
      await expect(lost).rejects.toThrow('rolled back')
      await db.transaction((tx) => world.deps.jobs.enqueue(tx, 'post.released', { postId: 'committed' }))
      world.deps.jobs.wake('post.released')
      await expect.poll(() => done.length > 0).toBeTruthy()
      expect(done).toEqual(['committed'])
    })

    test('a job that throws is retried', async () => {
      let tries = 0
      await world.deps.jobs.work('media.picture', 1, async () => {
        if (++tries === 1) throw new Error('died')
      })
      await db.transaction((tx) => world.deps.jobs.enqueue(tx, 'media.picture', { mediaId: newId() }))
      world.deps.jobs.wake('media.picture')
      await expect.poll(() => tries).toBe(2)
    })

    test('a queue of another version gets the retries of this one, and a missing queue is created', async () => {
      const retries = async () => {
        const { rows } = await world.database.executeSql(
          `select name, retry_limit, policy from pgboss.queue where name in ('letter.send', 'sweep') order by name`,
        )
        return rows
      }
      const expected = await retries()
      expect(expected).toHaveLength(2)
      await world.database.executeSql(`update pgboss.queue set retry_limit = 1 where name = 'letter.send'`)
      await world.database.executeSql(`delete from pgboss.queue where name = 'sweep'`)
      const other = await openJobs(world.database, console.error)
      await other.stop()
      expect(await retries()).toEqual(expected)
    })

    test('only the next chunk is counted, and only once', async () => {
      const id = await claimed()
      await awaitUpload(db, id, null)
      const part = (chunk: number) => ({ chunk, chunks: 3, filename: 'a.mp4', length: null })
      const counts = () => countChunk(db, id, part(0), world.clock.now)
      expect((await Promise.all([counts(), counts()])).toSorted()).toEqual([false, true])
      expect(await countChunk(db, id, part(2), world.clock.now)).toBe(false)
      expect(await countChunk(db, id, part(1), world.clock.now)).toBe(true)
      expect((await findUpload(db, id))?.received).toBe(2)
    })

    test('of concurrent calls, the first one holds an upload', async () => {
      const id = await claimed()
      const hold = () => db.transaction((tx) => holdUploads(tx, [asImage(id)], world.clock.now))
      const refused = await Promise.all(Array.from({ length: 6 }, hold))
      expect(refused.filter((it) => it.length === 0)).toHaveLength(1)
      expect(refused.filter((it) => it[0] === id)).toHaveLength(5)
    })

    test('of holding and removing an upload concurrently, one succeeds', async () => {
      for (let i = 0; i < 20; i++) {
        const id = await claimed()
        const [refused, outcome] = await Promise.all([
          db.transaction((tx) => holdUploads(tx, [asImage(id)], world.clock.now)),
          removeUpload(db, id, owner.id),
        ])
        const held = refused.length === 0
        expect([held, outcome]).toEqual(held ? [true, 'held'] : [false, 'removed'])
        expect(Boolean(await findUpload(db, id))).toBe(held)
      }
    })

    test('old uploads expire, unless they are held', async () => {
      const week = 7 * 24 * 3600 * 1000
      const long = world.clock.now - 2 * week
      const [old, held, recent] = [await claimed(long), await claimed(long), await claimed()]
      await holdUploads(db, [asImage(held)], world.clock.now)
      const expired = await expireUploads(db, world.clock.now - week, world.clock.now)
      const gone = expired.map((it) => it.id)
      expect(gone).toContain(old)
      expect(gone).not.toContain(held)
      expect(gone).not.toContain(recent)
      expect(await holdUploads(db, [asImage(old)], world.clock.now)).toEqual([old])
    })

    test('an idempotency key belongs to one post; posts without a key are all added', async () => {
      const post = { authorId: owner.id, type: 1, content: '', isAgeLimited: false, price: null } as const
      const key = newId()
      const first = await addPostOnce(db, { ...post, id: newId(), idempotencyKey: key }, world.clock.now)
      const again = await addPostOnce(db, { ...post, id: newId(), idempotencyKey: key }, world.clock.now)
      expect([first.fresh, again]).toEqual([true, { id: first.id, fresh: false }])
      const none = { ...post, idempotencyKey: null }
      expect((await addPostOnce(db, { ...none, id: newId() }, world.clock.now)).fresh).toBe(true)
      expect((await addPostOnce(db, { ...none, id: newId() }, world.clock.now)).fresh).toBe(true)
    })

    test('media that fails when it is made again keeps the names of what was made before', async () => {
      const id = await claimed()
      await holdUploads(db, [asImage(id)], world.clock.now)
      const made = { widths: [320, 640], poster: false, blurred: true, still: true }
      await setMediaReady(db, id, { width: 640, height: 480, duration: null, animated: true, made })
      await setMediaFailed(db, id, { failure: 'unreadable', maker: 7 })
      const found = await findMedia(db, id)
      expect([found?.state, found?.made]).toEqual(['failed', { ...made, maker: 7 }])
    })

    test('failed media of a post can be retried', async () => {
      const [id, postId] = [await claimed(), newId()]
      const post = { authorId: owner.id, type: 1, content: '', isAgeLimited: false, price: null } as const
      await addPostOnce(db, { ...post, id: postId, idempotencyKey: null }, world.clock.now)
      await holdUploads(db, [asImage(id)], world.clock.now)
      await attachMedia(db, postId, [{ mediaId: id, role: 'image', position: 0 }])
      expect(await retryFailedMediaOf(db, postId)).toEqual([])
      await setMediaFailed(db, id, { failure: 'unreadable', maker: 1 })
      expect(await retryFailedMediaOf(db, postId)).toEqual([{ id, kind: 'image' }])
    })
  })
})
