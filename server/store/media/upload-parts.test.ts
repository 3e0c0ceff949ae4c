// Rows of uploads in parts, on both databases.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { beginUpload } from '#server/testing/media/uploads.ts'
import { signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import {
  addStoredPart,
  beginStored,
  completeStored,
  endStoredAt,
  findStoredUpload,
  findUnfinished,
  keepPart,
  loseStored,
  clearStored,
  numberParts,
  setStoredTail,
  unfinishUpload,
} from './upload-parts.ts'

const part = (no: number, start: number, size = 10) => ({ no, start, size, etag: `"${no}"`, sha256: `${no}` })

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an upload in parts', () => {
    let world: World
    let id: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      id = await beginUpload(world, await signUp(world), 1000)
    })

    test('an upload without bytes has no parts, and an unknown one is undefined', async () => {
      const none = { numbered: false, stored: 0, finished: null, storeId: null, tailSize: 0, parts: [] }
      expect(await findStoredUpload(world.deps.db, id)).toEqual(none)
      await world.database.executeSql('delete from uploads where id = $1', [id])
      expect(await findStoredUpload(world.deps.db, id)).toBeUndefined()
    })

    test('of two ids of the store the first one stays, and a finished upload takes none', async () => {
      const { db } = world.deps
      expect(await beginStored(db, id, 0, 'first')).toBe(true)
      expect(await beginStored(db, id, 0, 'second')).toBe(false)
      expect(await findStoredUpload(db, id)).toMatchObject({ storeId: 'first' })
      await completeStored(db, id, 'first', undefined)
      expect(await beginStored(db, id, 1, 'third')).toBe(false)
      await world.database.executeSql('update uploads set finished_at = now() where id = $1', [id])
      expect(await beginStored(db, id, 0, 'third')).toBe(false)
    })

    test('bytes are lost only as they were found, and not after the upload was completed', async () => {
      const { db } = world.deps
      await beginStored(db, id, 0, 'a')
      await addStoredPart(db, id, 0, part(1, 0))
      expect(await loseStored(db, id, 0, 'a')).toBe(false)
      expect(await loseStored(db, id, 10, 'b')).toBe(false)
      await completeStored(db, id, 'b', 'wrong')
      expect(await findStoredUpload(db, id)).toMatchObject({ stored: 10, storeId: 'a', parts: [part(1, 0)] })
      await completeStored(db, id, 'a', undefined)
      expect(await loseStored(db, id, 10, 'a')).toBe(false)
      expect(await loseStored(db, id, 10, null)).toBe(true)
      expect(await findStoredUpload(db, id)).toEqual({
        numbered: false,
        stored: 0,
        finished: null,
        storeId: null,
        tailSize: 0,
        parts: [],
      })
    })

    test('a part follows the parts before it, and takes the place of the tail', async () => {
      const { db } = world.deps
      expect(await addStoredPart(db, id, 0, part(1, 0))).toBe(true)
      expect(await setStoredTail(db, id, 10, 4)).toBe(true)
      expect(await setStoredTail(db, id, 14, 6)).toBe(true)
      expect(await findStoredUpload(db, id)).toMatchObject({ stored: 16, tailSize: 6 })
      expect(await addStoredPart(db, id, 16, part(2, 10))).toBe(true)
      expect(await findStoredUpload(db, id)).toMatchObject({
        stored: 20,
        tailSize: 0,
        parts: [part(1, 0), part(2, 10)],
      })
    })

    test('each change is refused when other bytes were stored meanwhile, and changes nothing', async () => {
      const { db } = world.deps
      await addStoredPart(db, id, 0, part(1, 0))
      const before = await findStoredUpload(db, id)
      expect([
        await addStoredPart(db, id, 0, part(2, 0)),
        await addStoredPart(db, id, 10, part(2, 5)),
        await setStoredTail(db, id, 0, 3),
        await endStoredAt(db, id, 0, 0),
      ]).toEqual([false, false, false, false])
      expect(await findStoredUpload(db, id)).toEqual(before)
    })

    test('of several parts that are added at once, one is', async () => {
      const added = await Promise.all(
        Array.from({ length: 6 }, () => addStoredPart(world.deps.db, id, 0, part(1, 0))),
      )
      expect(added.filter(Boolean)).toHaveLength(1)
    })

    test('an end forgets the parts that begin there or later, and the tail', async () => {
      const { db } = world.deps
      for (const no of [1, 2, 3]) await addStoredPart(db, id, (no - 1) * 10, part(no, (no - 1) * 10))
      await setStoredTail(db, id, 30, 5)
      expect(await endStoredAt(db, id, 35, 10)).toBe(true)
      expect(await findStoredUpload(db, id)).toMatchObject({ stored: 10, tailSize: 0, parts: [part(1, 0)] })
    })

    test('an object has no parts, and all its bytes and its digest', async () => {
      const { db } = world.deps
      await beginStored(db, id, 0, 'a')
      await addStoredPart(db, id, 0, part(1, 0, 1000))
      await completeStored(db, id, 'a', 'digest')
      expect(await findStoredUpload(db, id)).toEqual({
        numbered: false,
        stored: 1000,
        finished: null,
        storeId: null,
        tailSize: 0,
        parts: [],
      })
      const { rows } = await world.database.executeSql('select digest from uploads where id = $1', [id])
      expect(rows).toEqual([{ digest: 'digest' }])
    })

    test('a finished upload has its length, whatever this store was given of it', async () => {
      const { db } = world.deps
      await beginStored(db, id, 0, 'a')
      await addStoredPart(db, id, 0, part(1, 0))
      expect([...(await findUnfinished(db, 'uploads', [id, newId()]))]).toEqual([id])
      expect(await findUnfinished(db, 'identity-uploads', [id])).toEqual(new Set())
      await world.database.executeSql('update uploads set finished_at = now() where id = $1', [id])
      expect(await findStoredUpload(db, id)).toMatchObject({ stored: 10, finished: 1000, storeId: 'a' })
      expect(await findUnfinished(db, 'uploads', [id])).toEqual(new Set())
    })

    test('numbered parts count in any order, only with more bytes than before, and add up to the object', async () => {
      const { db } = world.deps
      const partial = { no: 2, start: 10, size: 4, etag: '', sha256: '' }
      expect(await keepPart(db, id, null, part(1, 0))).toBe(false)
      expect(await numberParts(db, id, 1, [])).toBe(false)
      expect(await numberParts(db, id, 0, [partial])).toBe(true)
      expect(await numberParts(db, id, 0, [])).toBe(false)
      expect(await keepPart(db, id, null, { ...partial, size: 4 })).toBe(false)
      expect(await keepPart(db, id, null, { ...partial, size: 3 })).toBe(false)
      expect(await keepPart(db, id, 'another', part(1, 0))).toBe(false)
      expect(await keepPart(db, id, null, part(1, 0))).toBe(true)
      expect(await keepPart(db, id, null, part(2, 10))).toBe(true)
      const stored = { numbered: true, stored: 0, finished: null, storeId: null, tailSize: 0 }
      expect(await findStoredUpload(db, id)).toEqual({ ...stored, parts: [part(1, 0), part(2, 10)] })
      await completeStored(db, id, null, undefined)
      expect(await findStoredUpload(db, id)).toEqual({ ...stored, stored: 20, parts: [] })
      await completeStored(db, id, null, undefined)
      expect(await findStoredUpload(db, id)).toMatchObject({ stored: 20 })
    })

    test('numbered parts that are lost have no bytes, and a finished upload takes none', async () => {
      const { db } = world.deps
      await numberParts(db, id, 0, [part(1, 0)])
      expect(await loseStored(db, id, 0, null)).toBe(true)
      expect(await findStoredUpload(db, id)).toMatchObject({ numbered: true, stored: 0, parts: [] })
      await world.database.executeSql('update uploads set finished_at = now() where id = $1', [id])
      expect(await keepPart(db, id, null, part(1, 0))).toBe(false)
    })

    test('a forgotten upload has no bytes', async () => {
      const { db } = world.deps
      await addStoredPart(db, id, 0, part(1, 0))
      await clearStored(db, id, 'uploads')
      expect(await findStoredUpload(db, id)).toEqual({
        numbered: false,
        stored: 0,
        finished: null,
        storeId: null,
        tailSize: 0,
        parts: [],
      })
    })

    test('an upload keeps its bytes when those of its id below the other prefix are removed', async () => {
      const { db } = world.deps
      await addStoredPart(db, id, 0, part(1, 0))
      await clearStored(db, id, 'identity-uploads')
      expect(await findStoredUpload(db, id)).toMatchObject({ stored: 10, parts: [part(1, 0)] })
    })

    test('a finished upload whose bytes are lost begins again, and an unfinished one goes on', async () => {
      const { db } = world.deps
      await addStoredPart(db, id, 0, part(1, 0))
      await unfinishUpload(db, id)
      expect(await findStoredUpload(db, id)).toMatchObject({ stored: 10, parts: [part(1, 0)] })
      await world.database.executeSql(`update uploads set finished_at = now(), digest = 'x' where id = $1`, [
        id,
      ])
      await unfinishUpload(db, id)
      expect(await findStoredUpload(db, id)).toEqual({
        numbered: false,
        stored: 0,
        finished: null,
        storeId: null,
        tailSize: 0,
        parts: [],
      })
      const { rows } = await world.database.executeSql(
        'select digest, finished_at from uploads where id = $1',
        [id],
      )
      expect(rows).toEqual([{ digest: null, finished_at: null }])
    })
  })
})
