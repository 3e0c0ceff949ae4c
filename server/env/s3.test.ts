// Environment variables of an object store.
import { expect, test } from 'vitest'
import { EnvError, readEnv } from './env.ts'
import { s3Of } from './s3.ts'

const complete = {
  S3_ENDPOINT: 'https://storage.example',
  S3_BUCKET: 'todoke-media',
  S3_IDENTITY_BUCKET: 'todoke-identity',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
}

function sentencesOf(env: Record<string, string>): readonly string[] {
  try {
    readEnv(env)
    return []
  } catch (error) {
    if (error instanceof EnvError) return error.sentences
    throw error
  }
}

test('without a bucket everything is in the data folder', () => {
  expect(s3Of(readEnv({}))).toBeUndefined()
})

test('the variables of a store become its settings', () => {
  expect(s3Of(readEnv({ ...complete, S3_PREFIX: 'todoke/', S3_PATH_STYLE: '0' }))).toEqual({
    endpoint: 'https://storage.example',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    pathStyle: false,
    bucket: 'todoke-media',
    identityBucket: 'todoke-identity',
    prefix: 'todoke/',
  })
})

test.each(['S3_BUCKET', 'S3_IDENTITY_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)(
  'a store without %s is refused',
  (name) => {
    expect(sentencesOf({ ...complete, [name]: '' })).toEqual([expect.stringContaining(name)])
  },
)

test('an address without a bucket is refused', () => {
  expect(sentencesOf({ S3_ENDPOINT: 'https://storage.example' })).toEqual([
    expect.stringContaining('S3_BUCKET'),
  ])
})

test('identity documents in the bucket of media are refused', () => {
  expect(sentencesOf({ ...complete, S3_IDENTITY_BUCKET: 'todoke-media' })).toEqual([
    expect.stringContaining('別のバケット'),
  ])
})

test.each([
  ['S3_ENDPOINT', 'storage.example'],
  ['S3_ENDPOINT', 'https://storage.example/path'],
  ['S3_BUCKET', 'Upper'],
  ['S3_BUCKET', 'a/b'],
  ['S3_PREFIX', 'todoke'],
  ['S3_PREFIX', '../'],
  ['S3_PATH_STYLE', 'yes'],
])('the value of %s %j is refused', (name, value) => {
  expect(sentencesOf({ ...complete, [name]: value })).toContainEqual(expect.stringContaining(name))
})

test('a proxy that reads from the store needs a store, and internal locations', () => {
  const byProxy = { X_ACCEL_STORE: '1', X_ACCEL_PREFIX: '/stored' }
  expect(readEnv({ ...complete, ...byProxy }).X_ACCEL_STORE).toBe(true)
  expect(readEnv(complete).X_ACCEL_STORE).toBe(false)
  expect(sentencesOf(byProxy)).toEqual([expect.stringContaining('S3_BUCKET')])
  expect(sentencesOf({ ...complete, X_ACCEL_STORE: '1' })).toEqual([
    expect.stringContaining('X_ACCEL_PREFIX'),
  ])
})

test('the place of before needs a store', () => {
  expect(() => readEnv({ OBJECTS_FROM: 'disk' })).toThrow('S3_BUCKET')
})
