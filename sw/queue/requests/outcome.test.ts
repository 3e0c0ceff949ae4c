// The outcome of each answer of the server (the failure table of the upload queue).
import { expect, test } from 'vitest'
import { endOf } from './outcome.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NOW = Date.parse('2026-03-05T03:30:00Z')
const error = (code: string, fields?: Record<string, string>) => JSON.stringify({ error: { code, fields } })

test.each([
  [401, error('unauthenticated'), { is: 'signedOut', refused: true }],
  [403, error('suspended'), { is: 'signedOut', refused: true, closed: 'suspended' }],
  [404, error('not_found'), { is: 'gone' }],
  [410, error('post_deleted'), { is: 'refused', code: 'post_deleted' }],
  [410, error('gone'), { is: 'gone' }],
  [408, error('request_timeout'), { is: 'lost' }],
  [408, '', { is: 'lost', why: 'foreign' }],
  [409, error('offset_mismatch'), { is: 'lost' }],
  [409, error('upload_exists'), { is: 'lost' }],
  [409, error('conflict'), { is: 'refused', code: 'conflict' }],
  [409, error('chunk_out_of_order'), { is: 'refused', code: 'chunk_out_of_order' }],
  [409, error('upload_incomplete'), { is: 'uploadsDenied' }],
  [422, error('invalid', { has_video_file: 'unknown_upload' }), { is: 'uploadsDenied' }],
  [422, error('digest_mismatch'), { is: 'digestDiffers', mediaIds: [] }],
  [422, error('invalid'), { is: 'refused', code: 'invalid' }],
  [
    422,
    error('too_large', { video: 'unknown_upload' }),
    { is: 'refused', code: 'too_large', fields: { video: 'unknown_upload' } },
  ],
  [422, error('digest_mismatch', { abc: 'malformed' }), { is: 'digestDiffers', mediaIds: ['abc'] }],
  [
    422,
    error('invalid', { price: 'too_small' }),
    { is: 'refused', code: 'invalid', fields: { price: 'too_small' } },
  ],
  [403, error('forbidden'), { is: 'refused', code: 'forbidden' }],
  [413, error('too_large'), { is: 'refused', code: 'too_large' }],
  [413, '<html>proxy page</html>', { is: 'lost', why: 'foreign' }],
  [415, error('unsupported_media'), { is: 'refused', code: 'unsupported_media' }],
  [423, error('upload_held'), { is: 'lost' }],
  [425, '', { is: 'lost', why: 'foreign' }],
  [429, error('rate_limited'), { is: 'lost' }],
  [500, error('internal'), { is: 'lost' }],
  [503, error('unavailable'), { is: 'lost' }],
  [503, '', { is: 'lost', why: 'foreign' }],
  [507, error('storage_full'), { is: 'lost', why: 'storage_full' }],
  [507, '', { is: 'lost', why: 'foreign' }],
  [403, error('storage_limit'), { is: 'refused', code: 'storage_limit' }],
  [302, '', { is: 'lost', why: 'foreign' }],
  [0, '', { is: 'lost', why: 'foreign' }],
])('%i %s means %o', (status, body, end) => {
  expect(endOf(status, body, () => null, NOW)).toEqual(end)
})

const busy = error('rate_limited')
const headers = (given: Record<string, string>) => (name: string) => given[name]

test.each([
  ['7', 7000],
  [' 7 ', 7000],
  ['0', 0],
  ['Thu, 05 Mar 2026 03:31:00 GMT', MINUTE],
  ['Thu, 05 Mar 2026 03:31:00 +0000', MINUTE],
  ['2026-03-05T03:31:00Z', MINUTE],
  ['999999999', 10 * MINUTE],
])('Retry-After %s is %i ms', (value, retryAfter) => {
  expect(endOf(429, busy, headers({ 'Retry-After': value }), NOW)).toEqual({ is: 'lost', retryAfter })
})

test.each(['soon', '7s', 's7', '-7', 'Thu, 05 Mar 2020 03:31:00 GMT', ''])(
  'an invalid Retry-After is ignored: "%s"',
  (value) => {
    expect(endOf(429, busy, headers({ 'Retry-After': value }), NOW)).toEqual({ is: 'lost' })
  },
)

test.each([
  ['right', 0],
  ['two hours ahead', 2 * 60 * MINUTE],
  ['two hours behind', -2 * 60 * MINUTE],
  ['a week ahead', 7 * DAY],
])(
  'a date in Retry-After is relative to the answer’s Date, with a device clock that is %s',
  (_clock, wrong) => {
    const answer = headers({
      Date: new Date(NOW).toUTCString(),
      'Retry-After': new Date(NOW + 5 * MINUTE).toUTCString(),
    })
    expect(endOf(503, busy, answer, NOW + wrong)).toEqual({ is: 'lost', retryAfter: 5 * MINUTE })
  },
)

test('a date in Retry-After before the answer’s Date is ignored, with a device clock that is behind', () => {
  const answer = headers({
    Date: new Date(NOW).toUTCString(),
    'Retry-After': new Date(NOW - MINUTE).toUTCString(),
  })
  expect(endOf(503, busy, answer, NOW - DAY)).toEqual({ is: 'lost' })
})
