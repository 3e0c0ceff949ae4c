// What a conversation shows of a message with files: progress, waits, failures.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Media } from '#device/database/schema.ts'
import type { FileState } from '#device/jobs/file-row.ts'
import { messageJob } from '#device/testing/jobs.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import type { MessageJob } from '#device/jobs/job-rows.ts'
import { newFile } from '#device/jobs/new-files.ts'
import { outgoingOf } from './sending.ts'

const here = { now: 0, online: true, away: new Set<string>() }
const [A, B] = [newId(), newId()]
const row = (id: string, more: Partial<Media> = {}): Media => ({
  ...pictureRow({ id: newId(), ownerId: 'aoi', createdAt: 0 }),
  id,
  bytes: { is: 'stored', digest: 'd' },
  ...more,
})
const file = (id: string, state: FileState, size = 100) => ({ ...newFile({ id, size }), state })
const half: FileState = { is: 'sending', upload: { acked: 50, url: null } }
const sent: FileState = { is: 'sent', url: null }
const job = (more: Partial<MessageJob>) => messageJob([], { files: [file(A, half), file(B, sent)], ...more })
const view = (more: Partial<MessageJob> = {}, around: Partial<typeof here> = {}, media = [row(A), row(B)]) =>
  outgoingOf({ job: job(more), media }, { ...here, ...around })

test('the progress is the share of all bytes, and stays below 100 until the server has the message', () => {
  expect(view()).toMatchObject({ percent: 75, sentBytes: 150, bytes: 200, status: { is: 'sending' } })
  const whole = view({ files: [file(A, sent), file(B, sent)] })
  expect(whole).toMatchObject({ percent: 99, status: { is: 'finishing' } })
})

test('the files are in the order of the message, each with its kind', () => {
  const media = [row(B, { kind: 'video' }), row(A)]
  expect(view({}, {}, media).files).toEqual([
    { id: A, kind: 'image' },
    { id: B, kind: 'video' },
  ])
})

test('without network it waits; a refusal has its code; a requested one cannot be cancelled', () => {
  expect(view({}, { online: false }).status).toMatchObject({ is: 'waiting' })
  expect(view({ stage: { is: 'failed', code: 'forbidden' } })).toMatchObject({
    status: { is: 'failed', code: 'forbidden' },
    canCancel: true,
  })
  expect(view({ stage: { is: 'requested' } }).canCancel).toBe(false)
})

test('a file that the page holds keeps the page open, and one whose page is closed has to be picked again', () => {
  const media = [row(A, { bytes: { is: 'picked', digest: 'd' } }), row(B)]
  expect(view({}, {}, media)).toMatchObject({ isHeldByPage: true, status: { is: 'sending' } })
  const closed = view({}, { away: new Set([A]) }, media)
  expect(closed).toMatchObject({ isHeldByPage: false, status: { is: 'away' } })
})
