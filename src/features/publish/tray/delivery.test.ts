// What the tray shows of a job (specification section 4).
import { expect, test } from 'vitest'
import type { Job, Media } from '#device/database/schema.ts'
import { displayedPercent, SpeedMeter, viewOf } from './delivery.ts'

const ID = '018f0000-0000-7000-8000-000000000001'
const A = '018f0000-0000-7000-8000-00000000000a'

function job(media: Partial<Job['facts']['media'][number]>[], facts: Partial<Job['facts']> = {}): Job {
  return {
    id: ID,
    ownerId: ID,
    kind: 'post',
    protocol: 'tus',
    form: {
      content: '海へ\n二行目',
      type: 1,
      planIds: [],
      price: '',
      isAgeLimited: false,
      kind: 'video',
      duration: 3,
      thumbnailId: null,
      frameId: null,
    },
    facts: {
      media: media.map((it) => ({
        id: A,
        size: 200,
        acked: 0,
        begun: false,
        url: null,
        done: false,
        paused: false,
        resends: { digest: 0, gone: 0 },
        discard: false,
        inside: false,
        failed: null,
        dropped: false,
        ...it,
      })),
      kind: 'post',
      early: false,
      addFirst: false,
      addTried: false,
      post: null,
      ending: { is: 'open' },
      attempts: 0,
      wait: { until: 0, told: false },
      ...facts,
    },
    createdAt: 0,
  }
}

test.each([
  [[], false, 0],
  [[0], false, 0],
  [[50, 100], false, 75],
  [[100, 100], false, 99],
  [[33, 33, 34], false, 33],
  [[10], true, 100],
  [[], true, 100],
])('slots %o, completed %s, show %i %%', (slots, completed, percent) => {
  expect(displayedPercent(slots, completed)).toBe(percent)
})

test('all files can be paused while one goes on, and resumed when none does; one file has its own button', () => {
  const forAll = (media: Parameters<typeof job>[0], facts: Parameters<typeof job>[1] = {}) =>
    viewOf(job(media, facts), [], null, 0, true).forAll
  expect(forAll([{}, { id: ID, paused: true }])).toBe('pause')
  expect(forAll([{ paused: true }, { id: ID, paused: true }])).toBe('resume')
  expect(
    forAll([
      { acked: 200, done: true },
      { id: ID, paused: true },
    ]),
  ).toBe('resume')
  expect(forAll([{}])).toBeNull()
  expect(
    forAll([
      { acked: 200, done: true },
      { id: ID, acked: 200, done: true },
    ]),
  ).toBeNull()
  expect(forAll([{}, { id: ID }], { ending: { is: 'failed', code: 'forbidden' } })).toBeNull()
})

test('speed and time left are told while bytes move, and the first line is the title', () => {
  const view = viewOf(job([{ acked: 100, begun: true }]), [], 20, 0, true)
  expect(view).toMatchObject({ title: '海へ', speed: 20, secondsLeft: 5, percent: 50, bytesTotal: 200 })
})

test('a wait of a moment still counts as sending, a longer one is said', () => {
  const at = (until: number) => viewOf(job([{}], { wait: { until, told: false } }), [], null, 0, true).status
  expect(at(1000)).toEqual({ is: 'sending' })
  expect(at(5000)).toEqual({ is: 'waiting', until: 5000 })
})

test('a server without room is said, without a flicker while it is asked again', () => {
  const at = (until: number, change: Parameters<typeof job>[0][number] = {}) =>
    viewOf(job([change], { wait: { until, told: true, why: 'storage_full' } }), [], null, 10_000, true).status
  expect(at(15_000)).toEqual({ is: 'noRoom', until: 15_000 })
  expect(at(8000)).toEqual({ is: 'noRoom', until: 8000 })
  expect(at(6000)).toEqual({ is: 'sending' })
  expect(at(15_000, { paused: true })).toEqual({ is: 'paused' })
  // Every file is there, and the thumbnail inside the post has no room.
  expect(at(15_000, { acked: 200, done: true })).toEqual({ is: 'noRoom', until: 15_000 })
})

test('answers of another server are said from the second on, until the next progress', () => {
  const at = (until: number, attempts: number, change: Parameters<typeof job>[0][number] = {}) =>
    viewOf(job([change], { attempts, wait: { until, told: false, foreign: true } }), [], null, 10_000, true)
  expect(at(10_000, 1).status).toEqual({ is: 'sending' })
  expect(at(11_000, 2).status).toEqual({ is: 'foreign', until: 11_000 })
  expect(at(8000, 3).status, 'asked again at this moment').toEqual({ is: 'foreign', until: 8000 })
  expect(at(11_000, 2, { acked: 200, done: true }).status, 'the post itself').toEqual({
    is: 'foreign',
    until: 11_000,
  })
  expect(at(11_000, 2, { paused: true }).status).toEqual({ is: 'paused' })
})

test('a job that waits can be sent at once, whoever asked for the wait', () => {
  const at = (wait: { until: number; told: boolean; why?: 'storage_full' }) =>
    viewOf(job([{}], { wait }), [], null, 10_000, true).canHurry
  expect(at({ until: 60_000, told: true })).toBe(true)
  expect(at({ until: 60_000, told: true, why: 'storage_full' })).toBe(true)
  expect(at({ until: 0, told: false })).toBe(false)
})

test('a file that only an open page keeps is said, and once that page is closed the post waits for it', () => {
  const row: Media = {
    id: A,
    draftId: ID,
    ownerId: ID,
    role: 'media',
    kind: 'video',
    name: 'a.mp4',
    mime: 'video/mp4',
    size: 200,
    duration: 3,
    alt: '',
    bytes: { is: 'picked', digest: 'd' },
    conversion: { is: 'ready' },
    createdAt: 0,
  }
  const view = (away: string[], media = {}) =>
    viewOf(job([media]), [row], null, 0, true, { away: new Set(away) })
  expect(view([])).toMatchObject({ keeper: 'page', status: { is: 'sending' } })
  expect(view([A])).toMatchObject({ keeper: 'nobody', status: { is: 'away' }, files: [{ isGhost: true }] })
  // What is there already needs no page.
  expect(view([A], { done: true })).toMatchObject({ keeper: 'device', status: { is: 'finishing' } })
})

test('the speed meter looks at the last seconds and forgets a restart', () => {
  const meter = new SpeedMeter()
  meter.note(0, 0)
  expect(meter.speed(0)).toBeNull()
  meter.note(1000, 500)
  expect(meter.speed(1000)).toBe(500)
  meter.note(2000, 0)
  expect(meter.speed(2000)).toBeNull()
  meter.note(3000, 100)
  expect(meter.speed(3000)).toBe(100)
  expect(meter.speed(60_000)).toBeNull()
})

test('without network a post waits for it, whatever of it is sent already', () => {
  const offline = { online: false }
  const wait = { until: 20_000, told: false }
  const statusOf = (it: Job, more = {}) => viewOf(it, [], null, 0, true, more).status.is
  // A text alone, and files that were sent while the post was written: the post itself is still to be added.
  expect(statusOf(job([], { wait }))).toBe('waiting')
  expect(statusOf(job([{ done: true }], { wait }))).toBe('waiting')
  // The browser knows at once, before any try has failed.
  expect(statusOf(job([]), offline)).toBe('waiting')
  expect(statusOf(job([{ done: true }]), offline)).toBe('waiting')
  expect(statusOf(job([{ acked: 20 }]), offline)).toBe('waiting')
  expect(statusOf(job([]))).toBe('finishing')
  expect(statusOf(job([{ paused: true }]), offline)).toBe('paused')
  expect(statusOf(job([], { ending: { is: 'released', postId: ID } as never }), offline)).toBe('finishing')
})
