// The order of mutations: by time, and within one moment by their ids.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { likeJob } from '#device/testing/jobs.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { byAge, coalesce } from './coalescing.ts'
import { newMutationRow } from './mutations.ts'

const AOI = newId()
const number = { source: crypto.randomUUID(), number: 1 }
const row = (id: string, createdAt: number) => ({
  ...newMutationRow(
    AOI,
    { mutation: { name: 'follow', params: { user_id: newId() } }, about: '蓮', id },
    number,
    0,
  ),
  createdAt,
})

test('mutations are ordered by time, and those of one moment by their ids', () => {
  const [a, b, c] = [newId(), newId(), newId()].toSorted() as [string, string, string]
  const [first, second, third] = [row(c, 1), row(a, 2), row(b, 2)]
  for (const given of [
    [third, first, second],
    [second, third, first],
    [third, second, first],
  ])
    expect(given.toSorted(byAge)).toEqual([first, second, third])
  expect([byAge(second, third) < 0, byAge(third, second) > 0]).toEqual([true, true])
})

test('a mutation is added unless it repeats or reverses a waiting one of its target', () => {
  const params = { post_id: newId() }
  const waiting = (name: 'likePost' | 'unlikePost', stage: MutationJob['stage'] = { is: 'open' }) =>
    likeJob({ form: { mutation: { name, params }, about: '蓮' }, stage })
  const like = { name: 'likePost', params } as const
  expect(coalesce([], like)).toEqual({ is: 'add' })
  expect(coalesce([likeJob()], like)).toEqual({ is: 'add' })
  expect(coalesce([waiting('likePost')], like)).toEqual({ is: 'already' })
  expect(coalesce([waiting('likePost', { is: 'failed', code: 'not_found' })], like)).toEqual({ is: 'add' })
  const opposite = waiting('unlikePost', { is: 'requested' })
  expect(coalesce([opposite], like)).toEqual({ is: 'replaces', id: opposite.id })
})
