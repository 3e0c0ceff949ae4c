// What each answer of the server means for the queue (the failure table of the upload queue).
import { expect, test } from 'vitest'
import { endOf } from './outcome.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const error = (code: string, fields?: Record<string, string>) => JSON.stringify({ error: { code, fields } })

test.each([
  [401, error('unauthenticated'), { is: 'signedOut' }],
  [404, error('not_found'), { is: 'gone' }],
  [410, error('gone'), { is: 'gone' }],
  [408, '', { is: 'lost' }],
  [409, error('offset_mismatch'), { is: 'lost' }],
  [409, error('upload_exists'), { is: 'lost' }],
  [409, error('conflict'), { is: 'refused', code: 'conflict' }],
  [409, error('upload_incomplete'), { is: 'uploadsDenied' }],
  [422, error('invalid', { has_video_file: 'unknown_upload' }), { is: 'uploadsDenied' }],
  [422, error('digest_mismatch', { abc: 'malformed' }), { is: 'digestDiffers', mediaIds: ['abc'] }],
  [
    422,
    error('invalid', { price: 'too_small' }),
    { is: 'refused', code: 'invalid', fields: { price: 'too_small' } },
  ],
  [403, error('forbidden'), { is: 'refused', code: 'forbidden' }],
  [413, '<html>proxy page</html>', { is: 'refused', code: 'too_large' }],
  [415, error('unsupported_media'), { is: 'refused', code: 'unsupported_media' }],
  [423, error('upload_held'), { is: 'lost' }],
  [425, '', { is: 'lost' }],
  [500, error('internal'), { is: 'lost' }],
  [503, '', { is: 'lost' }],
  [302, '', { is: 'lost' }],
])('%i %s means %o', (status, body, end) => {
  expect(endOf(status, body, null, NOW)).toEqual(end)
})

test.each([
  ['7', 7000],
  ['0', 0],
  ['Thu, 05 Mar 2026 03:31:00 GMT', 60_000],
  ['999999999', 24 * 3600 * 1000],
])('Retry-After %s is %i ms', (header, retryAfter) => {
  expect(endOf(429, '', header, NOW)).toEqual({ is: 'lost', retryAfter })
})

test.each(['soon', 'Thu, 05 Mar 2020 03:31:00 GMT', ''])(
  'a senseless Retry-After is passed over: "%s"',
  (header) => {
    expect(endOf(429, '', header, NOW)).toEqual({ is: 'lost' })
  },
)
