// The list of lost posts after the browser has cleared the device's storage.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import { changeDraft, discardDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { changeJob, dropJob, finishJob } from '#device/jobs/jobs.ts'
import { submitStored } from '#device/testing/user.ts'
import type { Job } from '#device/jobs/job-rows.ts'
import { lostSince, readNote, writeNote } from './unsent-note.ts'

const AOI = newId()
const REN = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

/** As much of `document.cookie` as one cookie needs. */
function jar() {
  let stored = ''
  return {
    get cookie() {
      return `other=1; ${stored}`
    },
    set cookie(text: string) {
      const gone = /Expires=Thu, 01 Jan 1970/.test(text)
      stored = gone ? '' : (text.split('; ')[0] ?? '')
    },
  }
}

async function evict(): Promise<void> {
  await closeDatabase()
  await deleteDB('todoke')
}

async function submitted(ownerId = AOI): Promise<Job> {
  const draft = emptyDraft(ownerId, NOW)
  await changeDraft(draft, (it) => ({ ...it, content: 'あ' }), NOW)
  const end = await submitStored(draft.id, ownerId, NOW)
  if (end.is !== 'submitted') throw new Error(end.is)
  return end.job
}

afterEach(evict)

test('posts lost with the storage are listed until the person has dismissed the list', async () => {
  const cookies = jar()
  const job = await submitted()
  expect((await lostSince(cookies, AOI, NOW)).ids).toEqual([])
  expect(readNote(cookies, AOI)).toEqual([job.id])
  await evict()
  expect((await lostSince(cookies, AOI, NOW)).ids).toEqual([job.id])
  const next = await submitted()
  expect((await lostSince(cookies, AOI, NOW)).ids).toEqual([job.id])
  writeNote(cookies, AOI, [next.id], NOW)
  expect((await lostSince(cookies, AOI, NOW)).ids).toEqual([])
})

test('a delivered post, or one that became a draft again, is not lost', async () => {
  const cookies = jar()
  const arrived = await submitted()
  const failed = await submitted()
  await lostSince(cookies, AOI, NOW)
  await finishJob(arrived, '1', NOW)
  await changeJob(failed.id, (it) =>
    it.kind === 'post' ? { ...it, stage: { is: 'failed', code: 'forbidden', post: null } } : it,
  )
  await dropJob(failed.id)
  expect((await lostSince(cookies, AOI, NOW)).ids).toEqual([])
  expect(readNote(cookies, AOI)).toEqual([])
  // A discarded draft is not lost either.
  await discardDraft(failed.id, AOI)
  expect((await lostSince(cookies, AOI, NOW)).ids).toEqual([])
})

test('unsent posts of one account are not shown to another', async () => {
  const cookies = jar()
  const own = await submitted(AOI)
  const other = await submitted(REN)
  await lostSince(cookies, AOI, NOW)
  await lostSince(cookies, REN, NOW)
  await evict()
  expect((await lostSince(cookies, REN, NOW)).ids).toEqual([other.id])
  expect((await lostSince(cookies, AOI, NOW)).ids).toEqual([own.id])
})

test('all of 25 unsent posts are counted after an eviction', async () => {
  const cookies = jar()
  for (let n = 0; n < 25; n++) await submitted()
  await lostSince(cookies, AOI, NOW)
  await evict()
  expect(await lostSince(cookies, AOI, NOW)).toMatchObject({ count: 25 })
})

test('of 130 posts the count is right, and the cookie stays below 4 KB', async () => {
  const cookies = jar()
  writeNote(cookies, REN, [newId(), newId()], NOW)
  const ids = Array.from({ length: 130 }, newId)
  writeNote(cookies, AOI, ids, NOW)
  expect(cookies.cookie.length).toBeLessThan(4000)
  expect(await lostSince(cookies, AOI, NOW)).toEqual({ ids: ids.slice(0, 100), count: 130 })
  // Reported until the person has dismissed it.
  expect(await lostSince(cookies, AOI, NOW)).toMatchObject({ count: 130 })
  writeNote(cookies, AOI, [], NOW)
  expect(await lostSince(cookies, AOI, NOW)).toEqual({ ids: [], count: 0 })
})

test('a note that an earlier version wrote is read', async () => {
  const cookies = jar()
  const ids = [newId(), newId()]
  cookies.cookie = `todoke_unsent=${ids.map((id) => `${AOI}:${id}`).join('.')}; Path=/`
  expect(readNote(cookies, AOI)).toEqual(ids)
})
