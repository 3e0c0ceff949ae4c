// Tests that a post is published once while server or device lose state (docs/recovery.md).
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { findReceipt, listJobs } from '#device/jobs/jobs.ts'
import type { Job } from '#device/jobs/job-rows.ts'
import { removeOldUploads } from '#server/modules/uploads/expiry.ts'
import { emptyDeletedPosts } from '#server/modules/posts/deleted.ts'
import { reapUnreleased } from '#server/modules/posts/unreleased.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { storedBytes } from '#server/testing/media/uploads.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { fakeLocks } from '#sw/testing/picking.ts'
import {
  type Cut,
  resetDevice,
  restoreSnapshot,
  runQueue,
  signInOnDevice,
  submitPost,
  takeSnapshot,
} from './test-device.ts'

const DAY = 24 * 3600 * 1000

let world: World
let author: Member
let picture: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  world = await openWorld({ listen: true })
  picture = new Uint8Array(await jpeg())
})
afterAll(() => world.close())
beforeEach(async () => {
  vi.stubGlobal('navigator', { locks: fakeLocks() })
  await resetDevice()
  world.clock.now = Date.now()
  author = await signUp(world)
  await signInOnDevice(author)
})
afterEach(async () => {
  await resetDevice()
  vi.unstubAllGlobals()
})

const runSql = async (sql: string, values: unknown[] = [author.id]) =>
  (await world.database.executeSql(sql, values)).rows as Record<string, unknown>[]

/** Ids of the author's posts that are released and not deleted. */
const published = async () =>
  (
    await runSql(
      'select id from posts where author_id = $1 and released_at is not null and deleted_at is null',
    )
  ).map((it) => String(it['id']))

const storedJob = async (): Promise<Job | undefined> => (await listJobs(author.id))[0]
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The state of the author's posts on server and device. */
async function stateOf(jobId: string) {
  const posts = await published()
  const media = await runSql(
    'select m.media_id as id from post_media m join posts p on p.id = m.post_id where p.author_id = $1',
  )
  const digests = await Promise.all(media.map(async ({ id }) => sha256(await storedBytes(world, String(id)))))
  return {
    posts: posts.length,
    unreleased: (await runSql('select id from posts where author_id = $1 and released_at is null')).length,
    isWhole: digests.length === 1 && digests[0] === sha256(picture),
    job: await storedJob(),
    hasReceipt: (await findReceipt(jobId))?.postId === posts[0],
  }
}

/** The state in which one post is public with the picked bytes, and the device has its receipt and no job. */
const publishedOnce = { posts: 1, unreleased: 0, isWhole: true, job: undefined, hasReceipt: true }

/** Rolls the database back; the files of the data folder stay. */
async function rollDatabaseBack(): Promise<void> {
  await runSql('delete from posts where author_id = $1')
  await runSql('delete from media where id in (select id from uploads where owner_id = $1)')
  await runSql('delete from uploads where owner_id = $1')
}

async function cleanUp(): Promise<void> {
  await removeOldUploads(world.deps)
  await reapUnreleased(world.deps)
  await emptyDeletedPosts(world.deps)
}

/** The requests at which the device's process ends, and whether the server receives them. */
const cuts: readonly Cut[] = [
  { at: 'POST /upload-chunking-2', received: true },
  { at: 'PATCH /upload-chunking-2', received: true },
  { at: 'POST /api/post/add', received: false },
  { at: 'POST /api/post/add', received: true },
  { at: 'POST /api/post/release-uploaded', received: false },
  { at: 'POST /api/post/release-uploaded', received: true },
]

describe.each(cuts)('cut at $at, received: $received', (cut) => {
  let jobId: string
  beforeEach(async () => {
    jobId = await submitPost(author, { content: 'とどきますように', files: [picture] })
    await runQueue(world, { cut })
  })

  test('the post is published once after the database was rolled back to before the cut', async () => {
    await rollDatabaseBack()
    await runQueue(world)
    expect(await stateOf(jobId)).toEqual(publishedOnce)
  })

  test('the post is published once after a month, in which unreleased data was deleted', async () => {
    world.clock.now += 30 * DAY
    await cleanUp()
    await runQueue(world)
    expect(await stateOf(jobId)).toEqual(publishedOnce)
  })

  test('the post is published once by a device and its restored copy, and both have the receipt', async () => {
    const copy = await takeSnapshot()
    await runQueue(world)
    expect(await stateOf(jobId)).toEqual(publishedOnce)
    await restoreSnapshot(copy)
    await runQueue(world)
    expect(await stateOf(jobId)).toEqual(publishedOnce)
  })

  test.each([
    ['a day behind', -DAY],
    ['a year ahead', 365 * DAY],
  ])('the post is published once when the device’s clock is %s', async (_, clockOffset) => {
    await runQueue(world, { clockOffset })
    expect(await stateOf(jobId)).toEqual(publishedOnce)
  })

  test.each([
    ['a day behind', -DAY],
    ['a year ahead', 365 * DAY],
  ])(
    'the post is published once after the next sign-in when the server’s clock is %s',
    async (_, clockOffset) => {
      world.clock.now += clockOffset
      await cleanUp()
      await runQueue(world)
      const reply = await call(world, null, 'POST', '/auth/sign-in', {
        email: author.email,
        password: 'todoke-1234',
      })
      await signInOnDevice({ ...author, token: reply.json().token })
      await runQueue(world)
      expect(await stateOf(jobId)).toEqual(publishedOnce)
    },
  )
})
