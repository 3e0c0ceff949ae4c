// What the editor says of files that go up while the post is written.
import { expect, test } from 'vitest'
import type { FileState } from '#device/jobs/file-row.ts'
import { fileIn, preuploadJob } from '#device/testing/jobs.ts'
import { preuploadStateOf } from './use-preupload.ts'

const waiting: FileState = { is: 'waiting' }
const sending = (acked: number): FileState => ({ is: 'sending', upload: { acked, url: null } })
const sent: FileState = { is: 'sent', url: null }
const takenOut: FileState = { is: 'discarding', url: null, next: 'remove' }

/** A preupload of two files of 200 bytes; those that are not given wait. */
const job = (first: FileState, second: FileState = waiting) =>
  preuploadJob([], { files: [fileIn(first), fileIn(second)] })

test('the share counts every byte the server has, and stops at 99 before the last file is whole', () => {
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

test('a file that was taken out no longer counts', () => {
  expect(preuploadStateOf(job(sending(100), takenOut), 0)).toEqual({
    is: 'sending',
    percent: 50,
  })
  expect(preuploadStateOf(job(takenOut, takenOut), 0)).toEqual({ is: 'idle' })
})

test('a wait of a moment is part of sending, a longer one is said', () => {
  const until = (at: number) => ({ ...job(sent), wait: { until: at, told: false } })
  expect(preuploadStateOf(until(1000), 0).is).toBe('sending')
  expect(preuploadStateOf(until(5000), 0)).toEqual({ is: 'waiting', percent: 50 })
})

test('nothing is said where nothing goes up', () => {
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
