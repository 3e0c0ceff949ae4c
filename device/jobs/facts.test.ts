// The facts a job begins with, field by field.
import { expect, test } from 'vitest'
import type { JobFacts } from '#device/database/schema.ts'
import { checkFacts, earlyFacts, newFacts, submittedFacts, withoutDraft, withoutFile } from './facts.ts'

const photo = { id: 'photo', size: 3, kind: 'image' } as const
const film = { id: 'film', size: 7, kind: 'video' } as const
const untouched = {
  acked: 0,
  begun: false,
  url: null,
  done: false,
  paused: false,
  inside: false,
  resends: { digest: 0, gone: 0 },
  discard: false,
  failed: null,
  dropped: false,
}

test('of a new post nothing was sent, asked for or waited for', () => {
  expect(newFacts([film, photo], 'tus')).toEqual({
    kind: 'post',
    early: false,
    addFirst: false,
    media: [
      { id: 'film', size: 7, ...untouched },
      { id: 'photo', size: 3, ...untouched },
    ],
    addTried: false,
    post: null,
    ending: { is: 'open' },
    attempts: 0,
    wait: { until: 0, told: false },
  })
})

test('by the legacy protocol the post is added first, with its pictures inside the request', () => {
  const { addFirst, media } = newFacts([film, photo], 'chunked')
  expect([addFirst, media.map((it) => it.inside)]).toEqual([true, [false, true]])
})

test('an identity check is sent by the resumable protocol, its pictures as uploads', () => {
  const { kind, addFirst, media } = checkFacts([photo])
  expect([kind, addFirst, media.map((it) => it.inside)]).toEqual(['identity', false, [false]])
})

test('files of a draft join those under way once each, and open what had ended', () => {
  const first = earlyFacts(undefined, [photo])
  expect([first.early, first.media.map((it) => it.id)]).toEqual([true, ['photo']])
  const over: JobFacts = { ...first, ending: { is: 'released', at: 1 } }
  expect(earlyFacts(over, [photo])).toBe(over)
  const both = earlyFacts(over, [photo, film])
  expect([both.media.map((it) => it.id), both.ending]).toEqual([['photo', 'film'], { is: 'open' }])
})

test('a file that is taken out is discarded on the server, and a discarded draft with all of its files', () => {
  const facts: JobFacts = {
    ...earlyFacts(undefined, [photo, film]),
    attempts: 4,
    wait: { until: 9, told: true },
  }
  const flags = ({ media }: JobFacts) => media.map((it) => [it.id, it.dropped, it.discard])
  const without = withoutFile(facts, 'photo')
  expect(flags(without)).toEqual([
    ['photo', true, true],
    ['film', false, false],
  ])
  expect([without.attempts, without.wait]).toEqual([4, { until: 9, told: true }])
  const discarded = withoutDraft(facts)
  expect(flags(discarded)).toEqual([
    ['photo', false, true],
    ['film', false, true],
  ])
  expect(discarded).toMatchObject({
    ending: { is: 'cancelled' },
    attempts: 0,
    wait: { until: 0, told: false },
  })
})

test('a submission takes over what went up, and tries again what had failed or was paused', () => {
  const [sent] = earlyFacts(undefined, [photo]).media
  const up = {
    ...earlyFacts(undefined, [photo]),
    media: sent
      ? [
          {
            ...sent,
            acked: 2,
            begun: true,
            url: '/a',
            paused: true,
            failed: 'invalid' as const,
            resends: { digest: 1, gone: 2 },
          },
        ]
      : [],
  }
  expect(submittedFacts(up, [photo, film], 'tus').media).toEqual([
    { id: 'photo', size: 3, ...untouched, acked: 2, begun: true, url: '/a' },
    { id: 'film', size: 7, ...untouched },
  ])
  expect(submittedFacts(up, [photo], 'chunked').media).toEqual([
    { id: 'photo', size: 3, ...untouched, inside: true },
  ])
  expect(submittedFacts(undefined, [photo], 'tus')).toEqual(newFacts([photo], 'tus'))
})

test('a file taken out while it went up is left to be discarded, also when it was picked again', () => {
  const out = withoutFile(earlyFacts(undefined, [photo]), 'photo')
  const again = submittedFacts(out, [photo, film], 'tus')
  expect(again.media.map((it) => [it.id, it.dropped])).toEqual([
    ['photo', false],
    ['film', false],
    ['photo', true],
  ])
})

test('a wait that the server asked for holds for the submission, one of our own does not', () => {
  const early = earlyFacts(undefined, [photo])
  const asked = { until: 99, told: true }
  expect(submittedFacts({ ...early, wait: asked }, [photo], 'tus').wait).toEqual(asked)
  expect(submittedFacts({ ...early, wait: { until: 99, told: false } }, [photo], 'tus').wait).toEqual({
    until: 0,
    told: false,
  })
})
