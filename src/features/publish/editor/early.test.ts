// What the editor says of files that go up while the post is written.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { earlyFacts } from '#device/jobs/facts.ts'
import type { JobFacts, MediaFacts } from '#device/database/schema.ts'
import { earlyStateOf } from './early.ts'

const files = [newId(), newId()].map((id) => ({ id, size: 100, kind: 'image' as const }))

function facts(...changes: Partial<MediaFacts>[]): JobFacts {
  const begun = earlyFacts(undefined, files)
  return { ...begun, media: begun.media.map((it, i) => ({ ...it, ...changes[i] })) }
}

test('the share counts every byte the server has, and stops at 99 before the last file is whole', () => {
  expect(earlyStateOf(facts({ acked: 100, done: true }, { acked: 20 }), 0)).toEqual({
    is: 'sending',
    percent: 60,
  })
  expect(earlyStateOf(facts({ acked: 100, done: true }, { acked: 100 }), 0)).toEqual({
    is: 'sending',
    percent: 99,
  })
  expect(earlyStateOf(facts({ done: true }, { done: true }), 0)).toEqual({ is: 'done' })
})

test('a file that was taken out no longer counts', () => {
  expect(earlyStateOf(facts({ acked: 50 }, { dropped: true, acked: 100 }), 0)).toEqual({
    is: 'sending',
    percent: 50,
  })
  expect(earlyStateOf(facts({ dropped: true }, { dropped: true }), 0)).toEqual({ is: 'idle' })
})

test('a wait of a moment is part of sending, a longer one is said', () => {
  const waiting = (until: number) => ({ ...facts({ acked: 100 }), wait: { until, told: false } })
  expect(earlyStateOf(waiting(1000), 0).is).toBe('sending')
  expect(earlyStateOf(waiting(5000), 0)).toEqual({ is: 'waiting', percent: 50 })
})

test('nothing is said where nothing goes up', () => {
  expect(earlyStateOf(undefined, 0)).toEqual({ is: 'idle' })
  expect(earlyStateOf(facts({ paused: true }), 0)).toEqual({ is: 'idle' })
  expect(earlyStateOf(facts({ failed: 'forbidden' }), 0)).toEqual({ is: 'idle' })
})

test('without network the files wait for it', () => {
  const sending = facts({ acked: 50 })
  expect(earlyStateOf(sending, 0, false)).toEqual({ is: 'waiting', percent: expect.any(Number) })
  expect(earlyStateOf(sending, 0, true).is).toBe('sending')
})
