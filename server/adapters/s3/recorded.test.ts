// Requests to the object store are counted by operation and outcome, with their tries.
import { buffer } from 'node:stream/consumers'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { MeasuredObjectRequest } from '#server/adapters/metrics/metrics.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { newBuckets } from '#server/testing/s3/stores.ts'
import { openUnstableStore, type UnstableStore } from '#server/testing/s3/unstable-store.ts'
import { openScraped, scrape } from '#server/testing/scrape.ts'
import { createBucket } from './bucket.ts'
import { openS3Client } from './client.ts'
import { recordRequests } from './recorded.ts'

describe.skipIf(!cephAvailable())('requests to the object store', () => {
  let store: UnstableStore
  let counted: MeasuredObjectRequest[] = []
  beforeAll(async () => {
    store = await openUnstableStore(await newBuckets())
  })
  afterAll(() => store.close())
  beforeEach(() => void (counted = []))

  /** A bucket whose requests are counted; the clock advances by one second at each look. */
  function bucketOf(name = store.settings.bucket, tries = 4) {
    const client = openS3Client(store.settings, { tries })
    let now = 0
    recordRequests(client, { objectStore: (it) => void counted.push(it) }, () => (now += 1000))
    return createBucket(client, name)
  }
  const outcomes = () => counted.map((it) => [it.operation, it.outcome, it.retries])

  test('are done, or find nothing', async () => {
    const bucket = bucketOf()
    const key = newId()
    await bucket.put(key, Buffer.from('abc'))
    expect(counted).toEqual([{ operation: 'PutObject', outcome: 'done', seconds: 1, retries: 0 }])
    await bucket.facts('missing')
    await bucket.open('missing')
    expect(await bucket.open(key, { range: 'bytes=5-' })).toBe('beyond')
    expect(outcomes().slice(1)).toEqual([
      ['HeadObject', 'missing', 0],
      ['GetObject', 'missing', 0],
      ['GetObject', 'missing', 0],
    ])
  })

  test('count their tries, and are one request together', async () => {
    store.refuse(2)
    await bucketOf().put(newId(), Buffer.from('abc'))
    expect(outcomes()).toEqual([['PutObject', 'done', 2]])
  })

  test('fail after the last try, and go on to the caller', async () => {
    store.refuse(3)
    await expect(bucketOf(undefined, 3).put(newId(), Buffer.from('abc'))).rejects.toMatchObject({
      name: 'SlowDown',
    })
    expect(outcomes()).toEqual([['PutObject', 'failed', 2]])
  })

  test('fail without a reply', async () => {
    const client = openS3Client({ ...store.settings, endpoint: 'http://127.0.0.1:1' }, { tries: 1 })
    recordRequests(client, { objectStore: (it) => void counted.push(it) })
    await expect(createBucket(client, 'any').facts('any')).rejects.toThrow('ECONNREFUSED')
    expect(outcomes()).toEqual([['HeadObject', 'failed', 0]])
  })

  test('are refused without a bucket or with a wrong key', async () => {
    await expect(bucketOf('no-such-bucket').put('a', Buffer.from('abc'))).rejects.toThrow('')
    const client = openS3Client({ ...store.settings, secretAccessKey: 'wrong' }, { tries: 1 })
    recordRequests(client, { objectStore: (it) => void counted.push(it) })
    await expect(createBucket(client, store.settings.bucket).put('a', Buffer.from('b'))).rejects.toThrow('')
    expect(outcomes()).toEqual([
      ['PutObject', 'refused', 0],
      ['PutObject', 'refused', 0],
    ])
  })

  test('of a server are in its scrape', async () => {
    const world = await openScraped({ parts: { s3: store.settings } })
    const { objects, scratch } = world.deps.storage
    const [key, file] = [`media/${newId()}`, scratch.newPath()] as const
    await writeFile(file, 'abc')
    store.refuse(1)
    await objects.put(key, file)
    expect((await buffer(objects.read(key))).toString()).toBe('abc')
    expect(await objects.sizeOf(`media/${newId()}`)).toBeUndefined()
    const { value, text } = await scrape(world)
    const count = (operation: string, outcome: string) =>
      value(
        `todoke_object_store_request_duration_seconds_count{operation="${operation}",outcome="${outcome}"}`,
      )
    expect([count('PutObject', 'done'), count('GetObject', 'done'), count('HeadObject', 'missing')]).toEqual([
      1, 1, 1,
    ])
    expect(value('todoke_object_store_retries_total{operation="PutObject"}')).toBe(1)
    for (const hidden of [key, store.settings.bucket]) expect(text).not.toContain(hidden)
    await world.close()
  })
})
