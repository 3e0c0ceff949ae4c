// Job rows of database version 9, with flags for every kind, in the current form.
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { jobRow, mutationRow, preuploadRow } from './job-rows.ts'
import { upgradedJob, upgradedMutation, upgradedPreupload } from './old-rows.ts'

const id = newId()
const post = { id: 'p1', videoId: null }
const flags = {
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
const facts = {
  kind: 'post',
  early: false,
  addFirst: false,
  media: [],
  addTried: false,
  post: null,
  ending: { is: 'open' },
  attempts: 0,
  wait: { until: 0, told: false },
}
const common = { id, ownerId: id, createdAt: 1 }
const oldPost = (more: object = {}) => ({
  ...common,
  kind: 'post',
  key: id,
  protocol: 'tus',
  form: {
    content: '本文',
    type: 1,
    planIds: [],
    price: '',
    isAgeLimited: false,
    kind: 'none',
    duration: null,
    thumbnailId: null,
    frameId: null,
  },
  facts: { ...facts, ...more },
})
const oldCheck = (more: object = {}) => ({
  ...common,
  kind: 'identity',
  key: id,
  protocol: 'tus',
  form: { documentKind: 'passport', promptsId: id, front: id, back: null, live: id },
  facts: { ...facts, kind: 'identity', ...more },
})
const oldEarly = (more: object = {}) => ({
  ...common,
  protocol: 'tus',
  form: null,
  facts: { ...facts, early: true, ...more },
})
const oldAct = (more: object = {}) => ({
  ...common,
  kind: 'act',
  form: { act: { name: 'likePost', params: { post_id: id } }, about: '蓮' },
  facts: { ...facts, kind: 'act', ...more },
})

const stageOf = (more: object) => v.parse(jobRow, upgradedJob(oldPost(more))).stage
test.each([
  ['nothing requested', {}, { is: 'open' }],
  ['requested without a reply', { addTried: true }, { is: 'requested' }],
  ['added', { addTried: true, post }, { is: 'added', post }],
  ['released', { addTried: true, post, ending: { is: 'released', at: 7 } }, { is: 'released', post, at: 7 }],
  [
    'failed',
    { ending: { is: 'failed', code: 'forbidden' } },
    { is: 'failed', code: 'forbidden', post: null },
  ],
  [
    'failed after it was added',
    { post, ending: { is: 'failed', code: 'not_found' } },
    { is: 'failed', code: 'not_found', post },
  ],
  ['taken back', { post, ending: { is: 'cancelled' } }, { is: 'cancelled', post }],
])('a post %s', (_name, more, stage) => expect(stageOf(more)).toEqual(stage))

const fileOf = (more: object) => {
  const row = v.parse(jobRow, upgradedJob(oldPost({ media: [{ id, size: 10, ...flags, ...more }] })))
  return row.files[0]?.state
}
const url = '/upload-chunking-2/a'
describe('a file', () => {
  test.each([
    ['of which nothing was sent', {}, { is: 'waiting' }],
    ['that is partly sent', { begun: true, acked: 4, url }, { is: 'sending', upload: { acked: 4, url } }],
    ['that is sent', { begun: true, acked: 10, url, done: true }, { is: 'sent', url }],
    ['that was paused before it was sent', { paused: true }, { is: 'paused', upload: null }],
    [
      'that was paused while it was sent',
      { paused: true, begun: true, acked: 4, url },
      { is: 'paused', upload: { acked: 4, url } },
    ],
    [
      'that was paused and is sent',
      { paused: true, begun: true, acked: 10, done: true },
      { is: 'sent', url: null },
    ],
    ['that was refused', { failed: 'too_large' }, { is: 'failed', code: 'too_large', upload: null }],
    ['with other bytes', { discard: true, url }, { is: 'discarding', url, next: 'send' }],
    [
      'with other bytes, paused',
      { discard: true, paused: true },
      { is: 'discarding', url: null, next: 'pause' },
    ],
    ['that was taken out', { discard: true, dropped: true, url }, { is: 'discarding', url, next: 'remove' }],
  ])('%s', (_name, more, state) => expect(fileOf(more)).toEqual(state))
})

test('a file from before files could be taken out or refused is sent', () => {
  const { dropped: _dropped, failed: _failed, ...older } = flags
  const raw = oldPost({ media: [{ id, size: 10, ...older }] })
  expect(v.parse(jobRow, upgradedJob(raw)).files[0]?.state).toEqual({ is: 'waiting' })
})

test('every combination of flags gives a row that this version reads, of every kind', () => {
  const file = fc.record({
    id: fc.constant(id),
    size: fc.constant(10),
    acked: fc.nat(10),
    begun: fc.boolean(),
    url: fc.constantFrom(null, url),
    done: fc.boolean(),
    paused: fc.boolean(),
    inside: fc.boolean(),
    resends: fc.constant({ digest: 0, gone: 1 }),
    discard: fc.boolean(),
    failed: fc.constantFrom(null, 'too_large'),
    dropped: fc.boolean(),
  })
  const ending = fc.constantFrom<object>(
    { is: 'open' },
    { is: 'cancelled' },
    { is: 'failed', code: 'invalid', fields: { price: 'too_small' } },
  )
  const any = fc.record({ media: fc.array(file, { maxLength: 3 }), addTried: fc.boolean(), ending })
  fc.assert(
    fc.property(any, (more) => {
      expect(v.is(jobRow, upgradedJob(oldPost(more)))).toBe(true)
      expect(v.is(jobRow, upgradedJob(oldCheck(more)))).toBe(true)
      expect(v.is(preuploadRow, upgradedPreupload(oldEarly(more)))).toBe(true)
    }),
  )
})

test('a mutation retains its number, its target and its stage', () => {
  const number = { source: newId(), number: 7 }
  const row = upgradedMutation({ ...oldAct({ addTried: true, attempts: 3 }), number })
  expect(v.parse(mutationRow, row)).toEqual({
    ...common,
    kind: 'mutation',
    form: { mutation: { name: 'likePost', params: { post_id: id } }, about: '蓮' },
    number,
    stage: { is: 'requested' },
    attempts: 3,
    wait: { until: 0, told: false },
  })
})

test('a check that was answered, and rows from before there were idempotency keys', () => {
  const delivered = { is: 'delivered', id: 'c1', at: 7 }
  expect(v.parse(jobRow, upgradedJob(oldCheck({ ending: delivered }))).stage).toEqual(delivered)
  const { key: _, ...withoutKey } = oldPost()
  expect(v.parse(jobRow, upgradedJob(withoutKey)).key).toBe(id)
})

test.each([undefined, null, 'text', {}, { id, facts: 'nonsense' }, { id, kind: 'call', facts }])(
  'a row that does not fit stays as it is: %j',
  (raw) => expect(upgradedJob(raw)).toBeUndefined(),
)

test.each([undefined, null, 'text', {}, { id, facts: 'nonsense' }, { ...oldAct(), form: 'nonsense' }])(
  'a preupload or mutation that does not fit stays as it is: %j',
  (raw) => {
    expect(upgradedMutation(raw)).toBeUndefined()
    if (!(raw && typeof raw === 'object' && 'kind' in raw)) expect(upgradedPreupload(raw)).toBeUndefined()
  },
)

test('a mutation without a form, or of which the form has no mutation, stays as it is', () => {
  const { form: _, ...withoutForm } = oldAct()
  expect(upgradedMutation(withoutForm)).toBeUndefined()
  expect(upgradedMutation({ ...oldAct(), form: { about: '蓮' } })).toBeUndefined()
})

test('an end that a kind does not have leaves the job open', () => {
  expect(stageOf({ ending: { is: 'delivered', id: 'c1', at: 7 } })).toEqual({ is: 'open' })
  const check = upgradedJob(oldCheck({ ending: { is: 'released', at: 7 } }))
  expect(v.parse(jobRow, check).stage).toEqual({ is: 'open' })
})
