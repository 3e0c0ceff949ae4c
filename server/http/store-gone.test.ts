// Requests whose object store does not reply.
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBucket } from '#server/adapters/s3/bucket.ts'
import { openS3Client } from '#server/adapters/s3/client.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { newBuckets, type S3Settings } from '#server/testing/s3/stores.ts'
import { openUnstableStore, type UnstableStore } from '#server/testing/s3/unstable-store.ts'
import { handleErrors } from './errors.ts'

describe.skipIf(!cephAvailable())('a request', () => {
  let store: UnstableStore
  const apps: FastifyInstance[] = []
  beforeAll(async () => void (store = await openUnstableStore(await newBuckets())))
  afterAll(async () => {
    await store.close()
    for (const it of apps) await it.close()
  })

  /** Requests a route that looks for an object. @returns the status, the wait in seconds and the code */
  async function requested(changes: Partial<S3Settings>): Promise<unknown[]> {
    const client = openS3Client({ ...store.settings, ...changes }, { tries: 1 })
    const bucket = createBucket(client, changes.bucket ?? store.settings.bucket)
    const app = Fastify()
    apps.push(app)
    handleErrors(app)
    app.get('/', async () => bucket.open('media/none'))
    const reply = await app.inject('/')
    client.destroy()
    return [reply.statusCode, reply.headers['retry-after'], reply.json().error.code]
  }

  test('to a store that answers 503 is answered 503 with a time to wait', async () => {
    store.refuse(1)
    expect(await requested({})).toEqual([503, '5', 'unavailable'])
  })

  test('to a store that is not there is answered 503 with a time to wait', async () => {
    expect(await requested({ endpoint: 'http://127.0.0.1:1' })).toEqual([503, '5', 'unavailable'])
  })

  test('of a browser is answered by a page that a person can read', async () => {
    const app = Fastify()
    apps.push(app)
    handleErrors(app)
    const client = openS3Client({ ...store.settings, endpoint: 'http://127.0.0.1:1' }, { tries: 1 })
    app.get('/', async () => createBucket(client, store.settings.bucket).open('media/none'))
    const reply = await app.inject({ url: '/', headers: { accept: 'text/html,*/*' } })
    client.destroy()
    expect([reply.statusCode, reply.headers['retry-after'], reply.headers['content-type']]).toEqual([
      503,
      '5',
      'text/html; charset=utf-8',
    ])
    expect(reply.body).toContain('ページを表示できませんでした')
  })

  test.each([
    ['keys', { secretAccessKey: 'wrong' }],
    ['a bucket', { bucket: 'no-such-bucket' }],
  ])('with %s that the store refuses is a failure of this server', async (_, changes) => {
    expect(await requested(changes)).toEqual([500, undefined, 'internal'])
  })
})
