// Identity documents in an object store: sealed, in a bucket of their own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offsetOf } from '#server/testing/media/uploads.ts'
import { documents, prepared, submit, uploadDocument } from '#server/testing/people/identity.ts'
import { errorOf, patch, signUp } from '#server/testing/people/members.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { keysIn, newBuckets, type S3Settings } from '#server/testing/s3/stores.ts'
import { openWorld, type World } from '#server/testing/world.ts'

describe.skipIf(!cephAvailable())('documents of a check', () => {
  let world: World
  let s3: S3Settings
  beforeAll(async () => {
    s3 = await newBuckets()
    world = await openWorld({ parts: { s3 } })
  })
  afterAll(() => world.close())

  test('are in the bucket of identity documents alone, and their plain bytes in none', async () => {
    const person = await signUp(world)
    const files = await documents()
    const body = await prepared(world, person, files)
    expect((await submit(world, person, body)).statusCode).toBe(200)
    const parts = Object.keys(files) as (keyof typeof files)[]
    const keys = parts.map((part) => `identity/${body[part].upload_id}` as const)
    expect((await keysIn(s3, s3.identityBucket)).toSorted()).toEqual(keys.toSorted())
    expect(await keysIn(s3, s3.bucket)).toEqual([])
    for (const part of parts) {
      const stored: Buffer[] = []
      for await (const bytes of world.deps.storage.objects.read(`identity/${body[part].upload_id}`))
        stored.push(bytes)
      expect(Buffer.concat(stored).includes(files[part].subarray(0, 32))).toBe(false)
    }
    const { rows } = await world.database.executeSql('select id, sealed_key as key from identity_files')
    for (const { id, key } of rows as { id: string; key: string }[])
      await world.deps.sealed.check(`identity/${id}`, key, id)
    expect(rows).toHaveLength(parts.length)
  })

  test('are in that bucket alone while they are sent, and no proxy may read them', async () => {
    const person = await signUp(world)
    const before = await keysIn(s3, s3.identityBucket)
    const id = await uploadDocument(world, person, (await documents()).front)
    expect((await keysIn(s3, s3.identityBucket)).filter((it) => !before.includes(it))).toEqual([
      `identity-uploads/${id}`,
    ])
    expect(await keysIn(s3, s3.bucket)).toEqual([])
    const { objects } = world.deps.storage
    for (const prefix of ['identity-uploads', 'identity'] as const)
      expect(await objects.signedRead(`${prefix}/${id}`)).toBeUndefined()
    expect(await objects.signedRead(`uploads/${id}`)).toBeDefined()
  })

  test('of which the store has lost two are named together, and sent again from their first bytes', async () => {
    const person = await signUp(world)
    const files = await documents()
    const body = await prepared(world, person, files)
    const lost = (['front', 'live'] as const).map((it) => ({ id: body[it].upload_id, bytes: files[it] }))
    for (const { id, bytes } of lost) {
      await world.deps.storage.objects.remove(`identity-uploads/${id}`, 'at_once')
      expect(await offsetOf(world, person, id)).toBe(String(bytes.length))
    }
    const fields = Object.fromEntries(lost.map(({ id }) => [id, 'too_small']))
    expect(errorOf(await submit(world, person, body))).toEqual({ code: 'upload_incomplete', fields })
    for (const { id, bytes } of lost) {
      expect(await offsetOf(world, person, id)).toBe('0')
      await patch(world, person, id, 0, bytes)
    }
    expect((await submit(world, person, body)).statusCode).toBe(200)
  })

  test('without the store a check is refused, and can be sent again with the same uploads', async () => {
    const person = await signUp(world)
    const body = await prepared(world, person)
    const { objects } = world.deps.storage
    const put = objects.put.bind(objects)
    Object.assign(objects, { put: () => Promise.reject(new Error('the store does not answer')) })
    expect((await submit(world, person, body)).statusCode).toBe(500)
    Object.assign(objects, { put })
    expect((await submit(world, person, body)).statusCode).toBe(200)
  })
})
