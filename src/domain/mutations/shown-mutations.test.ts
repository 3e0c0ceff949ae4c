// What screens show of stored, in-memory and pressed mutations.
import { expect, test } from 'vitest'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { aboutOf } from '#contract/mutations/mutations.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { shownOf } from './shown-mutations.ts'

const like: Mutation = { name: 'likePost', params: { post_id: 'p' } }
const unlike: Mutation = { name: 'unlikePost', params: { post_id: 'p' } }
const follow: Mutation = { name: 'follow', params: { user_id: 'u' } }

function row(id: string, mutation: Mutation, rest: Partial<MutationJob> = {}): MutationJob {
  const form = { mutation, about: 'aoi' }
  return { id, form, stage: { is: 'open' }, attempts: 0, wait: {}, ...rest } as unknown as MutationJob
}
const pressed = (id: string, mutation: Mutation) => ({ id, mutation, about: 'aoi', ownerId: 'me' })
const failed = { stage: { is: 'failed', code: 'forbidden' } } as Partial<MutationJob>
const tried = (attempts: number, foreign: boolean) =>
  ({ attempts, wait: { foreign } }) as unknown as Partial<MutationJob>
const nothing = { stored: [], inMemory: [], pressed: [], answered: new Set<string>() }
const ids = (of: ReturnType<typeof shownOf>, mutation: Mutation) =>
  of.open.get(aboutOf(mutation))?.map((it) => it.id) ?? []

test('rows are shown by their target: first stored ones, then those in memory, then pressed ones', () => {
  const shown = shownOf({
    ...nothing,
    stored: [row('1', like), row('2', follow)],
    inMemory: [row('3', unlike)],
    pressed: [pressed('4', like)],
  })
  expect(ids(shown, like)).toEqual(['1', '3', '4'])
  expect(ids(shown, follow)).toEqual(['2'])
  expect(shown.open.get(aboutOf(like))?.map((it) => it.inPage)).toEqual([false, true, false])
})

test('a mutation that is stored and still in this page is shown once', () => {
  const stored = [row('1', like), row('2', follow)]
  const shown = shownOf({ ...nothing, stored, inMemory: [row('1', like)], pressed: [pressed('2', follow)] })
  expect([ids(shown, like), ids(shown, follow)]).toEqual([['1'], ['2']])
})

test('a refused mutation is listed once with its code, even if page and device both have it', () => {
  const shown = shownOf({ ...nothing, stored: [row('1', like, failed)], inMemory: [row('1', like, failed)] })
  expect(shown.refused).toMatchObject([{ id: '1', code: 'forbidden', mutation: like, about: 'aoi' }])
  expect(ids(shown, like)).toEqual([])
})

test('a stored mutation whose reply was applied is not shown', () => {
  const shown = shownOf({ ...nothing, stored: [row('1', like)], answered: new Set(['1']) })
  expect(ids(shown, like)).toEqual([])
})

test.each([
  [0, false, false],
  [0, true, false],
  [1, false, 'network'],
  [1, true, 'network'],
  [2, true, 'foreign'],
  [2, false, 'network'],
] as const)(
  'after %d tries, the last one with a foreign reply: %s, it waits for %s',
  (attempts, foreign, waits) => {
    const shown = shownOf({ ...nothing, stored: [row('1', like, tried(attempts, foreign))] })
    expect(shown.open.get(aboutOf(like))?.[0]?.waits).toBe(waits)
    expect(shown.waitForeign).toBe(waits === 'foreign' ? 1 : 0)
  },
)

test('a mutation waits with an earlier one of the same target, and with no other', () => {
  const stored = [row('1', like, tried(1, false))]
  const shown = shownOf({ ...nothing, stored, pressed: [pressed('2', unlike), pressed('3', follow)] })
  expect(shown.open.get(aboutOf(like))?.map((it) => it.waits)).toEqual(['network', 'network'])
  expect(shown.open.get(aboutOf(follow))?.map((it) => it.waits)).toEqual([false])
})

test('mutations in memory are counted as soon as one of them waits', () => {
  const inMemory = [row('1', like), row('2', follow)]
  expect(shownOf({ ...nothing, inMemory }).waitInPage).toBe(0)
  const waiting = [row('1', like, tried(1, false)), row('2', follow), row('3', unlike, failed)]
  expect(shownOf({ ...nothing, inMemory: waiting }).waitInPage).toBe(2)
})
