// The frequency of progress on the screen.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'
import { PROGRESS_EVERY } from '#contract/limits.ts'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { changeJob } from '#device/jobs/jobs.ts'
import { submitStored } from '#device/testing/user.ts'
import { watchDeliveries } from './deliveries.ts'

const AOI = newId()

afterEach(async () => {
  vi.useRealTimers()
  await closeDatabase()
  await deleteDB('todoke')
})

test('progress is shown at most every 500 ms, and its last state is always shown', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.stubGlobal('navigator', { locks: { query: async () => ({ held: [] }) } })
  const draft = emptyDraft(AOI, Date.now())
  await changeDraft(draft, (it) => ({ ...it, content: '朝の海' }), Date.now())
  await submitStored(draft.id, AOI, Date.now())
  const shown: { at: number; attempts: number }[] = []
  let attempts = 0
  const stop = watchDeliveries(AOI, () => shown.push({ at: Date.now(), attempts }))
  await expect.poll(() => shown).toHaveLength(1)
  for (let i = 0; i < 40; i++) {
    attempts = i + 1
    await changeJob(draft.id, (job) => ({ ...job, attempts }))
    await vi.advanceTimersByTimeAsync(50)
  }
  await vi.advanceTimersByTimeAsync(PROGRESS_EVERY)
  await expect.poll(() => shown.at(-1)?.attempts).toBe(40)
  stop()
  const gaps = shown.slice(1).map((it, i) => it.at - (shown[i]?.at ?? 0))
  // The first change may come during the first read.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(PROGRESS_EVERY)
  expect(shown.length).toBeGreaterThanOrEqual(4)
  vi.unstubAllGlobals()
})
