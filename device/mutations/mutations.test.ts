// Mutations on the device: stored once, coalesced, and sent in order.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import {
  changeMutation,
  dropMutation,
  listMutations,
  queueMutation,
  readyMutations,
  renewMutationSource,
} from './mutations.ts'
import { type Change, onChange } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { countUnreadable } from '#device/database/unreadable.ts'
import { discardParked, purgePerson } from '#device/session/purge.ts'
import { saveSession } from '#device/session/session.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const me = newId()
const post = newId()
const other = newId()
const user = { id: me, email: 'a@example.com', name: '葵', avatar_url: null, role: 'member' } as const

const like = (id = post): Mutation => ({ name: 'likePost', params: { post_id: id } })
const unlike = (id = post): Mutation => ({ name: 'unlikePost', params: { post_id: id } })
const comment = (id: string, content: string): Mutation => ({
  name: 'addComment',
  params: { post_id: post },
  body: { id, content },
})
const done = (mutation: Mutation, id?: string) =>
  queueMutation(me, { mutation, about: '蓮', ...(id && { id }) }, NOW)
const names = async () => (await listMutations(me)).map((it) => it.form.mutation.name)
/** The first mutation was sent, and its answer is not known. */
async function sendFirst(): Promise<void> {
  const [first] = await listMutations(me)
  if (first) await changeMutation(first.id, (job) => ({ ...job, stage: { is: 'requested' } }))
}

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

test('of opposite mutations only the last is sent', async () => {
  await done(like())
  await done(unlike())
  expect(await names()).toEqual(['unlikePost'])
  await done(like())
  expect(await names()).toEqual(['likePost'])
})

test('a repeated mutation changes nothing', async () => {
  await done(like())
  const before = await listMutations(me)
  await done(like())
  expect(await listMutations(me)).toEqual(before)
  expect(await names()).toEqual(['likePost'])
})

test('a mutation that may have arrived is superseded by the greater number of its replacement', async () => {
  await done(like())
  const [first] = await listMutations(me)
  await sendFirst()
  await done(unlike())
  const [second] = await readyMutations(me)
  expect(await names()).toEqual(['unlikePost'])
  expect(second?.number?.source).toBe(first?.number?.source)
  expect(second?.number?.number).toBeGreaterThan(first?.number?.number ?? Number.NaN)
})

test('sequence numbers increase across done mutations, a clock that is set back, and a sign-out', async () => {
  const numbers: (number | undefined)[] = []
  const press = async (mutation: Mutation, now: number) => {
    await queueMutation(me, { mutation, about: '蓮' }, now)
    const [only] = await listMutations(me)
    numbers.push(only?.number?.number)
    await dropMutation(defined(only?.id))
  }
  await press(like(), NOW)
  await press(unlike(), NOW)
  await press(like(), NOW - 3600_000)
  await saveSession({ token: 'a', user })
  await purgePerson(user)
  await press(unlike(), NOW + 10)
  expect(numbers).toEqual([NOW, NOW + 1, NOW + 2, NOW + 10])
})

test('likes of different posts and of different people are independent', async () => {
  await done(like())
  await done(unlike(other))
  await queueMutation(newId(), { mutation: unlike(), about: '蓮' }, NOW)
  expect(await names()).toEqual(['likePost', 'unlikePost'])
  expect(await readyMutations(me)).toHaveLength(2)
})

test('comments on a post are sent one after the other, in the order they were written', async () => {
  const [first, second] = [newId(), newId()]
  await done(comment(first, 'いち'), first)
  await done(comment(second, 'に'), second)
  await done(comment(first, 'いち'), first)
  expect((await listMutations(me)).map((it) => it.id)).toEqual([first, second])
  expect((await readyMutations(me)).map((it) => it.id)).toEqual([first])
  await dropMutation(first)
  expect((await readyMutations(me)).map((it) => it.id)).toEqual([second])
})

test('a refused mutation blocks nothing after it, and stays until the person has read it', async () => {
  const [first, second] = [newId(), newId()]
  await done(comment(first, 'いち'), first)
  await done(comment(second, 'に'), second)
  await changeMutation(first, (job) => ({ ...job, stage: { is: 'failed', code: 'not_found' } }))
  expect((await readyMutations(me)).map((it) => it.id)).toEqual([second])
  expect(await listMutations(me)).toHaveLength(2)
})

test('a refused mutation can be queued again', async () => {
  await done(like())
  const [refused] = await listMutations(me)
  await changeMutation(defined(refused?.id), (job) => ({
    ...job,
    stage: { is: 'failed', code: 'forbidden' },
  }))
  await done(like())
  expect(await readyMutations(me)).toMatchObject([{ stage: { is: 'open' } }])
})

test('mutations stay parked through a sign-out, and are deleted with parked jobs', async () => {
  await saveSession({ token: 'a', user })
  await done(like())
  await purgePerson(user)
  expect(await names()).toEqual(['likePost'])
  await discardParked(me)
  expect(await names()).toEqual([])
})

test('a row of another build is left unchanged and never sent', async () => {
  await transact(['acts'], 'readwrite', (tx) =>
    tx.objectStore('acts').put({ id: newId(), ownerId: me, kind: 'act', form: { act: 'pay' } } as never),
  )
  expect(await readyMutations(me)).toEqual([])
  const left = await transact(['acts'], 'readonly', (tx) => tx.objectStore('acts').getAll())
  expect(left).toMatchObject([{ form: { act: 'pay' } }])
  expect(await countUnreadable(me)).toEqual({ posts: 0, drafts: 0, acts: 1 })
})

/** The changes that `work` emits. */
async function emitted(work: () => Promise<unknown>): Promise<Change[]> {
  const changes: Change[] = []
  const stop = onChange((change) => changes.push(change))
  await work()
  stop()
  return changes
}

test('a queued, changed or dropped mutation is emitted, and one that changes nothing is not', async () => {
  const id = newId()
  const change = { store: 'acts', id }
  expect(await emitted(() => done(like(), id))).toEqual([change])
  expect(await emitted(() => done(like(), id))).toEqual([])
  expect(await emitted(() => done(like()))).toEqual([])
  expect(await emitted(() => changeMutation(id, (job) => ({ ...job, attempts: 1 })))).toEqual([change])
  expect(await emitted(() => changeMutation(id, (job) => job))).toEqual([])
  expect(await emitted(() => changeMutation(newId(), (job) => ({ ...job, attempts: 1 })))).toEqual([])
  expect((await listMutations(me)).map((it) => [it.id, it.attempts])).toEqual([[id, 1]])
  expect(await emitted(() => dropMutation(id))).toEqual([change])
})

test('a mutation has the time of the press, or one after the last when the clock went back', async () => {
  await queueMutation(me, { mutation: comment(newId(), '先'), about: '蓮' }, NOW)
  await queueMutation(me, { mutation: comment(newId(), '後'), about: '蓮' }, NOW - 5000)
  expect((await listMutations(me)).map((it) => it.createdAt)).toEqual([NOW, NOW + 1])
})

test('a new source of numbers begins with the time, and the next mutation has it', async () => {
  await done(like())
  const [before] = await listMutations(me)
  const first = await renewMutationSource(NOW + 10)
  expect(first.number).toBe(NOW + 10)
  expect(first.source).not.toBe(before?.number?.source)
  await done(like(other))
  expect((await listMutations(me)).at(-1)?.number).toEqual({ source: first.source, number: NOW + 11 })
})
