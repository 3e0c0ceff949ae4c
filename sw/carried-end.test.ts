// The end of an upload that the browser carried.
import { expect, test } from 'vitest'
import type { FileJob } from '#device/jobs/job-rows.ts'
import { postJob } from '#device/testing/jobs.ts'
import { onCarriedEnd } from './carried-end.ts'

const ID = '018f0000-0000-7000-8000-00000000000a'
const job = postJob([{ id: ID, size: 3 }], { id: ID, ownerId: ID })

async function end(after: FileJob[], { before = [job] as FileJob[], fails = false } = {}) {
  let jobs = before
  const titles: string[] = []
  await onCarriedEnd(
    {
      jobs: async () => jobs,
      deliver: async () => {
        if (fails) throw new Error('another version takes over')
        jobs = after
      },
    },
    { registration: { id: `upload ${ID}` }, updateUI: async ({ title }) => void titles.push(title) },
  )
  return titles
}

test('the post is published within the event, and the system says so', async () => {
  expect(await end([])).toEqual([expect.stringMatching(/を公開しました$/)])
})

test('a post that is not published yet is said to be continued by the app', async () => {
  expect(await end([job])).toEqual([expect.stringMatching(/の送信は、アプリが続けます$/)])
  expect(await end([], { fails: true })).toEqual([expect.stringMatching(/の送信は、アプリが続けます$/)])
})

test('a post that was refused is not said to be continued', async () => {
  const failed: FileJob = { ...job, stage: { is: 'failed', code: 'too_large', post: null, told: true } }
  expect(await end([failed])).toEqual([expect.stringMatching(/を公開できませんでした$/)])
})

test('of an upload whose job is gone before, only the end is said: it may be published, withdrawn, or of another person', async () => {
  expect(await end([], { before: [] })).toEqual(['送信を終了しました'])
})
