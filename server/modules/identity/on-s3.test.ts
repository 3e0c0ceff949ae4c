// Identity documents in an object store: sealed, in a bucket of their own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents, prepared, submit } from '#server/testing/people/identity.ts'
import { signUp } from '#server/testing/people/members.ts'
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
