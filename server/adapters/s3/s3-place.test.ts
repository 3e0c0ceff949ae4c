// Objects that are put once, also when the reply of the store is lost.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { noise } from '#server/testing/people/members.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { newBuckets } from '#server/testing/s3/stores.ts'
import { openUnstableStore, type UnstableStore } from '#server/testing/s3/unstable-store.ts'
import { createBucket } from './bucket.ts'
import { openS3Client } from './client.ts'
import { createS3Place } from './s3-place.ts'

describe.skipIf(!cephAvailable())('an object', () => {
  let folder: string
  let store: UnstableStore
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'todoke-place-'))
    store = await openUnstableStore(await newBuckets())
  })
  afterAll(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })

  const place = () => {
    const client = openS3Client(store.settings, { tries: 4 })
    const where = { client, bucket: store.settings.bucket, root: 'a/' }
    return { ...createS3Place(where), bucket: createBucket(client, store.settings.bucket) }
  }
  const fileOf = async (bytes: Buffer | string) => {
    const file = path.join(folder, newId())
    await writeFile(file, bytes)
    return file
  }

  test.each([10, 33 * 1024 * 1024])('of %d bytes is not put where there is one', async (size) => {
    const { putOnce, isMarked, bucket } = place()
    const key = `media/${newId()}` as const
    const mark = defined(await putOnce(key, await fileOf(noise(size))))
    const before = await bucket.facts(`a/${key}`)
    expect(await putOnce(key, await fileOf(noise(size + 1)))).toBeUndefined()
    expect(await bucket.facts(`a/${key}`)).toEqual(before)
    expect([await isMarked(key, mark), await isMarked(key, 'other')]).toEqual([true, false])
  })

  test.each(['uploads', 'identity-uploads'] as const)(
    'below %s is moved, and bytes of one that is not complete are not',
    async (prefix) => {
      const { keys, putOnce, bucket } = place()
      const key = `${prefix}/${newId()}` as const
      await putOnce(key, await fileOf('abc'))
      await bucket.put(`a/${prefix}/${newId()}.tail.1000`, Buffer.from('abc'))
      const found: string[] = []
      for await (const page of keys(prefix)) found.push(...page)
      expect(found).toEqual([key])
    },
  )

  test('is its own one after a request whose reply was lost', async () => {
    const { putOnce, isMarked } = place()
    const key = `media/${newId()}` as const
    store.lose(1)
    const mark = defined(await putOnce(key, await fileOf('abc')))
    expect(store.requests.filter((it) => it.startsWith('PUT') && it.includes(key))).toHaveLength(2)
    expect(await isMarked(key, mark)).toBe(true)
  })

  test('of a server has another mark', async () => {
    const { putOnce, isMarked, bucket } = place()
    const key = `media/${newId()}` as const
    const mark = defined(await putOnce(key, await fileOf('abc')))
    await bucket.put(`a/${key}`, Buffer.from('abc'))
    expect(await isMarked(key, mark)).toBe(false)
    await bucket.remove([`a/${key}`])
    expect(await isMarked(key, mark)).toBe(false)
  })
})
