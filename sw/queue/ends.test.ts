// Which event each end of a step is for its job.
import { expect, test } from 'vitest'
import { eventOf } from './ends.ts'
import type { Outcome } from './ports.ts'

const clock = { now: () => 7, random: () => 0.5 }
const when = { at: 7, jitter: 0.5 }

test.each<[Outcome<unknown>, ReturnType<typeof eventOf>]>([
  [{ is: 'ok', value: null }, undefined],
  [{ is: 'stopped' }, undefined],
  [{ is: 'signedOut' }, undefined],
  [
    { is: 'signedOut', refused: true },
    { type: 'tokenRefused', ...when },
  ],
  [{ is: 'lost' }, { type: 'lost', ...when }],
  [
    { is: 'lost', retryAfter: 3, why: 'storage_full' },
    { type: 'lost', ...when, retryAfter: 3, why: 'storage_full' },
  ],
  [{ is: 'gone' }, { type: 'refused', code: 'not_found' }],
  [
    { is: 'refused', code: 'forbidden' },
    { type: 'refused', code: 'forbidden' },
  ],
  [
    { is: 'refused', code: 'invalid', fields: { price: 'too_small' } },
    { type: 'refused', code: 'invalid', fields: { price: 'too_small' } },
  ],
  [
    { is: 'digestDiffers', mediaIds: ['a'] },
    { type: 'digestDiffered', fileIds: ['a'] },
  ],
  [{ is: 'uploadsDenied' }, { type: 'uploadsDenied' }],
])('%j', (end, event) => expect(eventOf(end, clock)).toEqual(event))
