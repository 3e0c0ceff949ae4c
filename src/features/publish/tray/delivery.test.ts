// What the tray shows of a job (specification section 4).
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { FileState } from '#device/jobs/file-row.ts'
import type { Job, PostJob } from '#device/jobs/job-rows.ts'
import { fileIn, postJob } from '#device/testing/jobs.ts'
import type { Media } from '#device/database/schema.ts'
import { displayedPercent, SpeedMeter, viewOf } from './delivery.ts'

const ID = '018f0000-0000-7000-8000-000000000001'
const A = '018f0000-0000-7000-8000-00000000000a'

const waiting: FileState = { is: 'waiting' }
const sending = (acked: number): FileState => ({ is: 'sending', upload: { acked, url: null } })
const sent: FileState = { is: 'sent', url: null }
const paused: FileState = { is: 'paused', upload: null }

/** A video post whose files, of 200 bytes each, are in these states. */
function job(states: readonly FileState[], more: Partial<PostJob> = {}): Job {
  const { form } = postJob()
  const files = states.map((state, i) => fileIn(state, i === 0 ? A : newId()))
  return postJob([], { id: ID, form: { ...form, content: '海へ\n二行目', kind: 'video' }, files, ...more })
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

test('all files can be paused while one is sent, and resumed when all are paused; not for one file', () => {
  const forAll = (states: readonly FileState[], more: Partial<PostJob> = {}) =>
    viewOf(job(states, more), [], null, 0, true).forAll
  expect(forAll([waiting, paused])).toBe('pause')
  expect(forAll([paused, paused])).toBe('resume')
  expect(forAll([sent, paused])).toBe('resume')
  expect(forAll([waiting])).toBeNull()
  expect(forAll([sent, sent])).toBeNull()
  const stage = { is: 'failed', code: 'forbidden', post: null } as const
  expect(forAll([waiting, waiting], { stage })).toBeNull()
})

test('speed and remaining time are shown while bytes are sent, and the first line is the title', () => {
  const view = viewOf(job([sending(100)]), [], 20, 0, true)
  expect(view).toMatchObject({ title: '海へ', speed: 20, secondsLeft: 5, percent: 50, bytesTotal: 200 })
})

test('a short wait is shown as sending, a longer one as waiting', () => {
  const at = (until: number) =>
    viewOf(job([waiting], { wait: { until, told: false } }), [], null, 0, true).status
  expect(at(1000)).toEqual({ is: 'sending' })
  expect(at(5000)).toEqual({ is: 'waiting', until: 5000 })
})

test('a server without room is shown, also during the next request', () => {
  const at = (until: number, state: FileState = waiting) =>
    viewOf(job([state], { wait: { until, told: true, why: 'storage_full' } }), [], null, 10_000, true).status
  expect(at(15_000)).toEqual({ is: 'noRoom', until: 15_000 })
  expect(at(8000)).toEqual({ is: 'noRoom', until: 8000 })
  expect(at(6000)).toEqual({ is: 'sending' })
  expect(at(15_000, paused)).toEqual({ is: 'paused' })
  // All files are sent, but there is no room for the thumbnail inside the post.
  expect(at(15_000, sent)).toEqual({ is: 'noRoom', until: 15_000 })
})

test('foreign replies are shown from the second on, until the next progress', () => {
  const at = (until: number, attempts: number, state: FileState = waiting) =>
    viewOf(job([state], { attempts, wait: { until, told: false, foreign: true } }), [], null, 10_000, true)
  expect(at(10_000, 1).status).toEqual({ is: 'sending' })
  expect(at(11_000, 2).status).toEqual({ is: 'foreign', until: 11_000 })
  expect(at(8000, 3).status, 'during the next request').toEqual({ is: 'foreign', until: 8000 })
  expect(at(11_000, 2, sent).status, 'the post itself').toEqual({
    is: 'foreign',
    until: 11_000,
  })
  expect(at(11_000, 2, paused).status).toEqual({ is: 'paused' })
})

test('a waiting job can be sent at once, for every reason of the wait', () => {
  const at = (wait: { until: number; told: boolean; why?: 'storage_full' }) =>
    viewOf(job([waiting], { wait }), [], null, 10_000, true).canHurry
  expect(at({ until: 60_000, told: true })).toBe(true)
  expect(at({ until: 60_000, told: true, why: 'storage_full' })).toBe(true)
  expect(at({ until: 0, told: false })).toBe(false)
})

test('a file in an open page is marked, and after the page is closed the post waits for it', () => {
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
  const view = (away: string[], state: FileState = waiting) =>
    viewOf(job([state]), [row], null, 0, true, { away: new Set(away) })
  expect(view([])).toMatchObject({ bytesAt: 'page', status: { is: 'sending' } })
  expect(view([A])).toMatchObject({ bytesAt: 'lost', status: { is: 'away' }, files: [{ isGhost: true }] })
  // A sent file needs no page.
  expect(view([A], sent)).toMatchObject({ bytesAt: 'device', status: { is: 'finishing' } })
})

test('the speed meter measures the last seconds, and begins again after a restart', () => {
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

test('without network a post waits, even if all its files are sent', () => {
  const offline = { online: false }
  const wait = { until: 20_000, told: false }
  const statusOf = (it: Job, more = {}) => viewOf(it, [], null, 0, true, more).status.is
  // A post without files, or with preuploaded files, still has to be added.
  expect(statusOf(job([], { wait }))).toBe('waiting')
  expect(statusOf(job([sent], { wait }))).toBe('waiting')
  // The browser reports it before a try has failed.
  expect(statusOf(job([]), offline)).toBe('waiting')
  expect(statusOf(job([sent]), offline)).toBe('waiting')
  expect(statusOf(job([sending(20)]), offline)).toBe('waiting')
  expect(statusOf(job([]))).toBe('finishing')
  expect(statusOf(job([paused]), offline)).toBe('paused')
  expect(
    statusOf(job([], { stage: { is: 'released', post: { id: ID, videoId: null }, at: 0 } }), offline),
  ).toBe('finishing')
})
