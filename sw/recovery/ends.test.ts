// Tests that deleted, withdrawn and copied posts are not published again (docs/recovery.md).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readDraft } from '#device/drafts/drafts.ts'
import { claimReceipt, changeJob, dropJob, findReceipt, listJobs, submitDraft } from '#device/jobs/jobs.ts'
import { listParkedLeftover, listLeftover } from '#device/drafts/leftover.ts'
import { renewMedia } from '#device/files/renew-media.ts'
import { emptyDeletedPosts } from '#server/modules/posts/deleted.ts'
import { reapUnreleased } from '#server/modules/posts/unreleased.ts'
import { removeOldUploads } from '#server/modules/uploads/expiry.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import type { Job } from '#device/jobs/job-rows.ts'
import { applyPersonEvent } from '#sw/queue/machines/machines.ts'
import { fakeLocks } from '#sw/testing/picking.ts'
import {
  resetDevice,
  restoreSnapshot,
  runQueue,
  signInOnDevice,
  submitPost,
  takeSnapshot,
  writeDraft,
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

/** Texts of the author's public posts. */
const published = async () => {
  const sql =
    'select content from posts where author_id = $1 and released_at is not null and deleted_at is null order by id'
  return ((await world.database.executeSql(sql, [author.id])).rows as { content: string }[]).map(
    (it) => it.content,
  )
}
const stageOf = async (jobId: string): Promise<Job['stage'] | undefined> =>
  (await listJobs(author.id)).find((it) => it.id === jobId)?.stage

/** Does what the button 編集に戻る does. */
async function editAgain(jobId: string): Promise<void> {
  await changeJob(jobId, (job) => applyPersonEvent(job, { type: 'cancelled', keep: true }))
  await runQueue(world)
  await dropJob(jobId)
  await renewMedia(jobId)
}

async function submitAgain(draftId: string): Promise<void> {
  const draft = await readDraft(draftId, author.id)
  if (!draft) throw new Error('the draft is not stored')
  expect((await submitDraft(draft, Date.now())).is).toBe('submitted')
}

async function passDays(days: number): Promise<void> {
  world.clock.now += days * DAY
  await removeOldUploads(world.deps)
  await reapUnreleased(world.deps)
  await emptyDeletedPosts(world.deps)
}

describe.each([
  ['the add', 'POST /api/post/add'],
  ['the release', 'POST /api/post/release-uploaded'],
])(
  'the answer to %s was lost, a copy of the device published the post, and the author deleted it',
  (_, at) => {
    test.each([1, 60, 800])(
      '%i days later the post is not published again, and the draft is still stored',
      async (days) => {
        const jobId = await submitPost(author, { content: '消した投稿', files: [picture] })
        await runQueue(world, { cut: { at, received: true } })
        const copy = await takeSnapshot()
        await runQueue(world)
        const { postId = '' } = (await findReceipt(jobId)) ?? {}
        expect((await call(world, author, 'DELETE', `/posts/${postId}`)).statusCode).toBe(200)
        await passDays(days)

        await restoreSnapshot(copy)
        const { token } = (
          await call(world, null, 'POST', '/auth/sign-in', { email: author.email, password: 'todoke-1234' })
        ).json()
        await signInOnDevice({ ...author, token })
        await runQueue(world)
        expect(await published()).toEqual([])
        expect(await stageOf(jobId)).toMatchObject({ is: 'failed', code: 'post_deleted' })

        // The person publishes the post again on purpose.
        await editAgain(jobId)
        await submitAgain(jobId)
        await runQueue(world)
        expect(await published()).toEqual(['消した投稿'])
      },
    )
  },
)

test('a post is not published after a copy of the device withdrew it and published another version', async () => {
  const jobId = await submitPost(author, { content: 'まだ直す', files: [picture] })
  await runQueue(world, { cut: { at: 'POST /api/post/release-uploaded', received: false } })
  const copy = await takeSnapshot()
  await changeJob(jobId, (job) => applyPersonEvent(job, { type: 'cancelled', keep: true }))
  await runQueue(world)
  const draft = await readDraft(jobId, author.id)
  if (!draft) throw new Error('the draft is not stored')
  await submitDraft({ ...draft, content: '直した' }, Date.now())
  await runQueue(world)
  expect(await published()).toEqual(['直した'])
  await passDays(300)

  await restoreSnapshot(copy)
  const { token } = (
    await call(world, null, 'POST', '/auth/sign-in', { email: author.email, password: 'todoke-1234' })
  ).json()
  await signInOnDevice({ ...author, token })
  await runQueue(world)
  expect(await published()).toEqual(['直した'])
  expect(await stageOf(jobId)).toMatchObject({ is: 'failed', code: 'gone' })
  expect((await readDraft(jobId, author.id))?.content).toBe('まだ直す')
})

test('a draft with files that a copy of the device published is refused, until the person submits it again', async () => {
  const draft = await writeDraft(author, { content: '二台の下書き', files: [picture] })
  const copy = await takeSnapshot()
  await submitDraft(draft, Date.now())
  await runQueue(world)
  await restoreSnapshot(copy)
  await submitDraft(draft, Date.now())
  await runQueue(world)
  expect(await published()).toEqual(['二台の下書き'])
  expect(await stageOf(draft.id)).toMatchObject({ is: 'failed', code: 'conflict' })
  await editAgain(draft.id)
  await submitAgain(draft.id)
  await runQueue(world)
  expect(await published()).toEqual(['二台の下書き', '二台の下書き'])
})

test('receipts stay when the device’s clock jumps a year, so that an old tab cannot submit its draft again', async () => {
  const jobId = await submitPost(author, { content: '一年後の時計' })
  const draft = await readDraft(jobId, author.id)
  if (!draft) throw new Error('the draft is not stored')
  await runQueue(world, { clockOffset: -365 * DAY })
  expect(await claimReceipt(jobId)).toBe(true)
  const other = await submitPost(author, { content: '次の投稿' })
  await runQueue(world)
  expect(await claimReceipt(other)).toBe(true)
  expect(await submitDraft(draft, Date.now())).toEqual({ is: 'already' })
})

test('a post of an account that waits for its deletion is refused, and is published after the deletion is cancelled', async () => {
  const jobId = await submitPost(author, { content: '退会を取りやめた', files: [picture] })
  await leave(world, author)
  await runQueue(world)
  expect(await stageOf(jobId)).toMatchObject({ is: 'failed', code: 'leaving' })
  expect((await readDraft(jobId, author.id))?.content).toBe('退会を取りやめた')
  await world.database.executeSql('delete from deletions where user_id = $1', [author.id])
  await changeJob(jobId, (job) => applyPersonEvent(job, { type: 'retried' }))
  await runQueue(world)
  expect(await published()).toEqual(['退会を取りやめた'])
})

test('a suspended account loses its session, and its post is published at the next sign-in after the suspension', async () => {
  const jobId = await submitPost(author, { content: '停止が解けた', files: [picture] })
  await world.database.executeSql('update users set suspended_at = now() where id = $1', [author.id])
  await runQueue(world)
  expect(await stageOf(jobId)).toEqual({ is: 'open' })
  const [left] = await listParkedLeftover()
  expect(left).toMatchObject({ ownerId: author.id, closed: 'suspended', unsent: { post: 1 } })
  expect(await listLeftover(author.id)).toMatchObject([
    { is: 'post', content: '停止が解けた', files: [{ name: '0.jpg' }] },
  ])
  await world.database.executeSql('update users set suspended_at = null where id = $1', [author.id])
  await signInOnDevice(author)
  await runQueue(world)
  expect(await published()).toEqual(['停止が解けた'])
})
