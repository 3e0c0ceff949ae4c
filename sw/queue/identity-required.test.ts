// A post refused for want of an identity check keeps its uploads, goes back to the editor, or is published once later.
import { expect, test } from 'vitest'
import { newFacts } from '#device/jobs/facts.ts'
import { apply, canCancel, type QueueEvent } from './machine.ts'
import { nextStep } from './next-step.ts'
import { endOf } from './requests/outcome.ts'

const FILE = '018f0000-0000-7000-8000-00000000000a'
const NOW = Date.parse('2026-03-05T03:30:00Z')
const refusal = JSON.stringify({ error: { code: 'identity_required' } })
const refused: QueueEvent = { type: 'refused', code: 'identity_required' }

const uploaded = () => {
  const facts = newFacts([{ id: FILE, size: 10, kind: 'image' }], 'tus')
  return apply(apply(facts, { type: 'accepted', mediaId: FILE, offset: 10 }), { type: 'addTried' })
}

test('the answer is a refusal, not a reason to try again by itself', () => {
  const end = endOf(403, refusal, () => null, NOW)
  expect(end).toEqual({ is: 'refused', code: 'identity_required' })
  const facts = apply(uploaded(), refused)
  expect(facts.ending).toEqual({ is: 'failed', code: 'identity_required' })
  expect(nextStep(facts, NOW)).toEqual({ do: 'wait', for: 'person' })
})

test('back in the editor nothing is removed from the server', () => {
  const facts = apply(uploaded(), refused)
  expect(canCancel(facts)).toBe(true)
  const back = apply(facts, { type: 'cancelled', keep: true })
  expect(back.media.map((it) => [it.acked, it.discard])).toEqual([[10, false]])
  expect(nextStep(back, NOW)).toEqual({ do: 'drop' })
})

test('tried again it asks how much the server has, adds the post and releases it once', () => {
  let facts = apply(apply(uploaded(), refused), { type: 'retried' })
  expect([nextStep(facts, NOW), facts.media[0]?.acked]).toEqual([{ do: 'send', mediaId: FILE }, 10])
  facts = apply(facts, { type: 'accepted', mediaId: FILE, offset: 10 })
  expect(nextStep(facts, NOW)).toEqual({ do: 'addPost' })
  facts = apply(facts, { type: 'postAdded', postId: 'p1', videoId: null })
  expect(nextStep(facts, NOW)).toEqual({ do: 'release', postId: 'p1' })
  facts = apply(facts, { type: 'released', at: NOW })
  expect(nextStep(facts, NOW)).toEqual({ do: 'finish', postId: 'p1', at: NOW })
  expect(apply(facts, { type: 'retried' })).toBe(facts)
})

test('refused at the release, it is withdrawn before it is a draft again', () => {
  const added = apply(uploaded(), { type: 'postAdded', postId: 'p1', videoId: null })
  const back = apply(apply(added, refused), { type: 'cancelled', keep: true })
  expect(nextStep(back, NOW)).toEqual({ do: 'withdraw', postId: 'p1' })
  expect(nextStep(apply(back, { type: 'withdrawn' }), NOW)).toEqual({ do: 'drop' })
})
