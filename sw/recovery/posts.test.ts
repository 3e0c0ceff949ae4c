// Posts on their way while server or device lose state: one post, nothing lost, the true reason (docs/recovery.md).
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { findReceipt, listJobs } from '#device/jobs/jobs.ts'
import type { Job } from '#device/jobs/job-rows.ts'
import { sweep } from '#server/modules/uploads/expiry.ts'
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
  signInHere,
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
  await signInHere(author)
})
afterEach(async () => {
  await resetDevice()
  vi.unstubAllGlobals()
})

const run = async (sql: string, values: unknown[] = [author.id]) =>
  (await world.database.executeSql(sql, values)).rows as Record<string, unknown>[]

/** Ids of the author's posts that are released and not deleted. */
const published = async () =>
  (
    await run('select id from posts where author_id = $1 and released_at is not null and deleted_at is null')
  ).map((it) => String(it['id']))

const jobHere = async (): Promise<Job | undefined> => (await listJobs(author.id))[0]
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** What server and device have of the author's posts. */
async function stateOf(jobId: string) {
  const posts = await published()
  const media = await run(
    'select m.media_id as id from post_media m join posts p on p.id = m.post_id where p.author_id = $1',
  )
  const sums = await Promise.all(media.map(async ({ id }) => sha256(await storedBytes(world, String(id)))))
  return {
    posts: posts.length,
    unreleased: (await run('select id from posts where author_id = $1 and released_at is null')).length,
    isWhole: sums.length === 1 && sums[0] === sha256(picture),
    job: await jobHere(),
    hasReceipt: (await findReceipt(jobId))?.postId === posts[0],
  }
}

/** The one post is public with the picked bytes, and the device has its receipt and nothing to send. */
const publishedOnce = { posts: 1, unreleased: 0, isWhole: true, job: undefined, hasReceipt: true }

/** Rolls the database back; the files of the data folder stay. */
async function rollDatabaseBack(): Promise<void> {
  await run('delete from posts where author_id = $1')
  await run('delete from media where id in (select id from uploads where owner_id = $1)')
  await run('delete from uploads where owner_id = $1')
}

async function cleanUp(): Promise<void> {
  await sweep(world.deps)
  await reapUnreleased(world.deps)
  await emptyDeletedPosts(world.deps)
}

/** Every point at which the device's process can end, by what the server has by then. */
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

  test('the database is rolled back to before it: published once', async () => {
    await rollDatabaseBack()
    await runQueue(world)
    expect(await stateOf(jobId)).toEqual(publishedOnce)
  })

  test('a month passes, and what was not released is cleared away: published once', async () => {
    world.clock.now += 30 * DAY
    await cleanUp()
    await runQueue(world)
    expect(await stateOf(jobId)).toEqual(publishedOnce)
  })

  test('the same state goes on twice, as on a restored phone: published once, both know it', async () => {
    const copy = await takeSnapshot()
    await runQueue(world)
    expect(await stateOf(jobId)).toEqual(publishedOnce)
    await restoreSnapshot(copy)
    await runQueue(world)
    expect(await stateOf(jobId)).toEqual(publishedOnce)
  })

  test.each([
    ['a day back', -DAY],
    ['a year on', 365 * DAY],
  ])('the device’s clock goes %s: published once', async (_, clockOff) => {
    await runQueue(world, { clockOff })
    expect(await stateOf(jobId)).toEqual(publishedOnce)
  })

  test.each([
    ['a day back', -DAY],
    ['a year on', 365 * DAY],
  ])('the server’s clock goes %s: published once after the next sign-in', async (_, clockOff) => {
    world.clock.now += clockOff
    await cleanUp()
    await runQueue(world)
    const again = await call(world, null, 'POST', '/auth/sign-in', {
      email: author.email,
      password: 'todoke-1234',
    })
    await signInHere({ ...author, token: again.json().token })
    await runQueue(world)
    expect(await stateOf(jobId)).toEqual(publishedOnce)
  })
})
