// The editor's rules (specification section 5).
import { expect, test } from 'vitest'
import { FILM_DECLARATION } from '#contract/posts/film-declaration.ts'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { yenOf } from '#contract/posts/price.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { isWaiting, problemOf, problemsOf } from './rules.ts'

const OWNER = '018f0000-0000-7000-8000-000000000001'
const draft = (change: Partial<Draft> = {}): Draft => ({ ...emptyDraft(OWNER, 0), content: 'あ', ...change })
const media = (change: Partial<Media> = {}): Media => ({
  id: OWNER,
  draftId: OWNER,
  ownerId: OWNER,
  role: 'media',
  kind: 'video',
  name: 'a.mp4',
  mime: '',
  size: 1,
  duration: null,
  alt: '',
  bytes: { is: 'stored', digest: '' },
  conversion: { is: 'ready' },
  createdAt: 0,
  ...change,
})
const check = (it: Draft, rows: Media[] = [], lost: string[] = []) => problemsOf(it, rows, new Set(lost))

test.each([
  [[], { kind: 'video', size: MAX_TOTAL_BYTES }, undefined],
  [[], { kind: 'video', size: MAX_TOTAL_BYTES + 1 }, 'too_big'],
  [[], { kind: undefined, size: 1 }, 'unsupported'],
  [[], { kind: 'video', size: 0 }, 'unsupported'],
  [['video'], { kind: 'video', size: 1 }, 'one_video_only'],
  [['video'], { kind: 'image', size: 1 }, 'images_or_video'],
  [['image'], { kind: 'video', size: 1 }, 'images_or_video'],
  [['image', 'image'], { kind: 'image', size: 1 }, undefined],
  [Array.from({ length: 20 }, () => 'image'), { kind: 'image', size: 1 }, 'too_many_images'],
] as const)('with %o, %o is %s', (kinds, file, why) => {
  expect(
    problemOf(
      kinds.map((kind) => media({ kind: kind as Media['kind'] })),
      file,
    ),
  ).toBe(why)
})

test('a long title or introduction is a problem of a priced or plan post alone', () => {
  const long = { title: '長'.repeat(61), introduction: '長'.repeat(201) }
  expect(check(draft({ ...long, type: 3, price: '500' }))).toEqual({
    title: 'too_long',
    introduction: 'too_long',
  })
  expect(check(draft({ ...long, title: ' 題 ', introduction: '', type: 3, price: '500' }))).toEqual({})
  expect(check(draft(long))).toEqual({})
})

test('an age-limited video that is sold needs the declaration about this video, in its present version', () => {
  const sold: Partial<Draft> = {
    mediaIds: [OWNER],
    frameId: OWNER,
    isAgeLimited: true,
    type: 3,
    price: '500',
  }
  const mine = { mediaId: OWNER, version: FILM_DECLARATION }
  const rows = [media()]
  const found = (change: Partial<Draft>) => check(draft({ ...sold, ...change }), rows)
  expect(found({})).toEqual({ declaration: 'required' })
  expect(found({ declaredFilm: { ...mine, mediaId: '018f0000-0000-7000-8000-000000000002' } })).toEqual({
    declaration: 'required',
  })
  expect(found({ declaredFilm: { ...mine, version: FILM_DECLARATION - 1 } })).toEqual({
    declaration: 'required',
  })
  for (const change of [{ declaredFilm: mine }, { isAgeLimited: false }, { type: 1 }] as const)
    expect(found(change)).toEqual({})
  const picture = [media({ kind: 'image', name: 'a.jpg' })]
  expect(check(draft(sold), picture)).toEqual({})
})

test('no media, no thumbnail and blank text is an empty form; a thumbnail alone is not', () => {
  expect(check(draft({ content: ' 　\n' }))).toEqual({ content: 'empty' })
  const thumbnail = media({ id: OWNER, role: 'thumbnail' })
  expect(check(draft({ content: '', thumbnailId: OWNER }), [thumbnail])).toEqual({})
})

test('a picked file that is not on the device prevents posting', () => {
  expect(check(draft({ thumbnailId: OWNER }))).toEqual({ media: 'missing' })
  expect(check(draft({ mediaIds: [OWNER] }))).toEqual({ media: 'missing' })
  expect(check(draft({ mediaIds: [OWNER] }), [media({ id: OWNER })])).toEqual({})
})

test.each([
  ['tus', 'a.mp4', false],
  ['tus', 'a.MOV', true],
  ['chunked', 'a.mp4', false],
  ['chunked', 'a.MOV', false],
  ['chunked', 'a.mkv', true],
] as const)('by %s, %s needs a thumbnail: %s', (protocol, name, needed) => {
  const found = check(draft({ protocol }), [media({ name })])
  expect(found).toEqual(needed ? { thumbnail: 'thumbnail_required' } : {})
})

test('a video that is not mp4 needs a thumbnail, chosen or taken from it', () => {
  const mov = media({ name: 'a.MOV' })
  expect(check(draft(), [mov])).toEqual({ thumbnail: 'thumbnail_required' })
  expect(check(draft({ frameId: OWNER }), [mov])).toEqual({})
  expect(check(draft({ thumbnailId: OWNER }), [mov])).toEqual({})
  expect(check(draft(), [media({ name: 'a.MP4' })])).toEqual({})
})

test.each([
  ['', 'required'],
  ['無料', 'malformed'],
  ['99', 'too_small'],
  ['100', undefined],
  ['1,000', undefined],
  ['１，０００円', undefined],
  ['50000', undefined],
  ['50,001', 'too_large'],
  ['-500', 'malformed'],
  ['100.50', 'fraction'],
  ['１００．５', 'fraction'],
  ['1.000', undefined],
])('the price "%s" is %s', (price, why) => {
  expect(check(draft({ type: 3, price })).price).toBe(why)
})

test('prices may have commas, dots and full-width characters', () => {
  expect(yenOf('１，２３４円')).toBe(1234)
  expect(yenOf('1.000')).toBe(1000)
  expect(yenOf('abc')).toBeNaN()
})

test('a plan post requires a plan', () => {
  expect(check(draft({ type: 2 }))).toEqual({ plans: 'required' })
  expect(check(draft({ type: 2, planIds: [OWNER] }))).toEqual({})
})

test('an incomplete file is reported before the submission', () => {
  expect(check(draft(), [media()], [OWNER])).toEqual({ media: 'incomplete' })
})

test.each([
  ['a post of 800 kB that people count as one character', `a${'\u0301'.repeat(400_000)}`, 'too_many_bytes'],
  ['nine marks on one letter', `a${'\u0301'.repeat(9)}`, 'too_many_marks'],
  ['a text that is too long', 'あ'.repeat(10_001), 'too_long'],
  ['nothing that can be seen', '\u200b\u3164', 'empty'],
  ['a text of the longest kind', 'あ'.repeat(10_000), undefined],
])('%s is reported before the submission', (_what, content, problem) => {
  expect(check(draft({ content })).content).toBe(problem)
})

test('a photo counts as it was picked until it is converted, since its bytes are copied to the device', () => {
  const conversion = { is: 'pending', format: 'jpg', keepSize: false, tries: 0 } as const
  const large = media({ kind: 'image', size: MAX_TOTAL_BYTES, conversion })
  const photo = { kind: 'image', size: 1 } as const
  expect(problemOf([large], photo)).toBe('too_big')
  expect(problemOf([{ ...large, size: 1 }], photo)).toBeUndefined()
})

test('a submission waits for the conversion of a photo, but not for lost bytes', () => {
  const conversion = { is: 'pending', format: 'heic', keepSize: false, tries: 1 } as const
  const photo = media({ kind: 'image', conversion })
  expect(check(draft(), [photo])).toEqual({})
  expect(isWaiting(photo, new Set())).toBe(true)
  expect(isWaiting(photo, new Set([OWNER]))).toBe(false)
  expect(check(draft(), [photo], [OWNER])).toEqual({ media: 'incomplete' })
})

test('a photo or thumbnail that could not be converted prevents posting', () => {
  const conversion = { is: 'failed', format: 'heic', keepSize: false, why: 'unconvertible' } as const
  for (const role of ['media', 'thumbnail'] as const)
    expect(check(draft(), [media({ kind: 'image', role, conversion })])).toEqual({ media: 'unconverted' })
})
