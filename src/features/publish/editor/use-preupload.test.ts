// The state of a draft's preupload, as the editor shows it.
import { expect, test } from 'vitest'
import type { FileState } from '#device/jobs/file-row.ts'
import { fileIn, preuploadJob } from '#device/testing/jobs.ts'
import { preuploadStateOf } from './use-preupload.ts'

const waiting: FileState = { is: 'waiting' }
const sending = (acked: number): FileState => ({ is: 'sending', upload: { acked, url: null } })
const sent: FileState = { is: 'sent', url: null }
const removed: FileState = { is: 'discarding', url: null, next: 'remove' }

/** A preupload of two files of 200 bytes; the second waits by default. */
const job = (first: FileState, second: FileState = waiting) =>
  preuploadJob([], { files: [fileIn(first), fileIn(second)] })

test('the percentage counts every byte on the server, and is at most 99 until all files are sent', () => {
  expect(preuploadStateOf(job(sent, sending(40)), 0)).toEqual({
    is: 'sending',
    percent: 60,
  })
  expect(preuploadStateOf(job(sent, sending(200)), 0)).toEqual({
    is: 'sending',
    percent: 99,
  })
  expect(preuploadStateOf(job(sent, sent), 0)).toEqual({ is: 'done' })
})

test('a removed file is not counted', () => {
  expect(preuploadStateOf(job(sending(100), removed), 0)).toEqual({
    is: 'sending',
    percent: 50,
  })
  expect(preuploadStateOf(job(removed, removed), 0)).toEqual({ is: 'idle' })
})

test('a short wait is shown as sending, a longer one as waiting', () => {
  const until = (at: number) => ({ ...job(sent), wait: { until: at, told: false } })
  expect(preuploadStateOf(until(1000), 0).is).toBe('sending')
  expect(preuploadStateOf(until(5000), 0)).toEqual({ is: 'waiting', percent: 50 })
})

test('without an upload the state is idle', () => {
  expect(preuploadStateOf(undefined, 0)).toEqual({ is: 'idle' })
  expect(preuploadStateOf(job({ is: 'paused', upload: null }), 0)).toEqual({ is: 'idle' })
  expect(preuploadStateOf(job({ is: 'failed', code: 'forbidden', upload: null }), 0)).toEqual({ is: 'idle' })
  const stopped = { ...job(sending(100)), stage: { is: 'failed', code: 'gone' } as const }
  expect(preuploadStateOf(stopped, 0)).toEqual({ is: 'idle' })
})

test('without network the files wait for it', () => {
  const half = job(sending(100))
  expect(preuploadStateOf(half, 0, false)).toEqual({ is: 'waiting', percent: expect.any(Number) })
  expect(preuploadStateOf(half, 0, true).is).toBe('sending')
})
