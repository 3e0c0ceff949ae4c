// Mutations in memory: the same rules as those of the database.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { aboutOf, type Mutation } from '#contract/mutations/mutations.ts'
import { defined } from '#contract/testing/defined.ts'
import { createMemoryRows } from './memory-rows.ts'

const AOI = newId()
const REN = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')
const like: Mutation = { name: 'likePost', params: { post_id: newId() } }
const unlike: Mutation = { ...like, name: 'unlikePost' }
const comment = (content: string): Mutation => ({
  name: 'addComment',
  params: like.params,
  body: { id: newId(), content },
})

function open() {
  const world = { changes: 0 }
  const rows = createMemoryRows(() => (world.changes += 1))
  const add = (mutation: Mutation, ownerId = AOI, id = newId()) => {
    rows.add(ownerId, { mutation, about: 'あおい', id }, NOW)
    return id
  }
  return { rows, world, add, names: () => rows.all().map((it) => it.form.mutation.name) }
}

test('two mutations of one millisecond stay in order, with increasing numbers of one source', () => {
  const { rows, add } = open()
  const ids = [add(comment('1')), add(comment('2')), add(comment('3'))]
  expect(rows.all().map((it) => it.id)).toEqual(ids)
  const numbers = rows.all().map((it) => it.number)
  expect(new Set(numbers.map((it) => it?.source)).size).toBe(1)
  expect(numbers.map((it) => it?.number)).toEqual([NOW, NOW + 1, NOW + 2])
})

test('a mutation that is queued already, by its id or its meaning, changes nothing', () => {
  const { world, add, names } = open()
  const id = add(like)
  add(like)
  add(comment('同じ番号'), AOI, id)
  expect([names(), world.changes]).toEqual([['likePost'], 1])
})

test('an opposite mutation replaces the one that waits, with a greater number', () => {
  const { rows, add, names } = open()
  add(like)
  const before = rows.all()[0]?.number?.number ?? 0
  add(unlike)
  expect(names()).toEqual(['unlikePost'])
  expect(rows.all()[0]?.number?.number).toBeGreaterThan(before)
})

test('only the first mutation of each target may be sent, and only those of the person', () => {
  const { rows, add } = open()
  const [first, heart] = [add(comment('先')), add(like)]
  add(comment('後'))
  add(like, REN)
  expect(rows.ready(AOI).map((it) => it.id)).toEqual([first, heart])
})

test('an answered mutation is removed with earlier ones of its target; later ones and other targets stay', () => {
  const { rows, add } = open()
  const [, second, third] = [add(comment('1')), add(comment('2')), add(comment('3'))]
  const heart = add(like)
  rows.dropUpTo(second)
  expect(rows.all().map((it) => it.id)).toEqual([third, heart])
  rows.dropUpTo(newId())
  expect(rows.all()).toHaveLength(2)
  rows.dropAbout(aboutOf(comment('')))
  expect(rows.all().map((it) => it.id)).toEqual([heart])
})

test('a row changes like a stored one: the same object is no change, and a deleted row is undefined', () => {
  const { rows, world, add } = open()
  const id = add(like)
  rows.change(id, (job) => job)
  expect(world.changes).toBe(1)
  expect(rows.change(id, (job) => ({ ...job, attempts: 2 }))?.attempts).toBe(2)
  expect([rows.all()[0]?.attempts, world.changes]).toEqual([2, 2])
  rows.drop(id)
  expect(rows.change(id, (job) => ({ ...job, attempts: 3 }))).toBeUndefined()
})

test('mutations of other people are removed when a person signs in', () => {
  const { rows, add } = open()
  add(like)
  const own = add(like, REN)
  rows.retain(REN)
  expect(rows.all().map((it) => it.id)).toEqual([own])
  rows.retain(undefined)
  expect(rows.all()).toEqual([])
})

test('a new source of numbers begins with the time, and the next rows have it', () => {
  const { rows, add } = open()
  add(comment('1'))
  const next = rows.renewSource(NOW + 10)
  expect(next.number).toBe(NOW + 10)
  expect(next.source).not.toBe(rows.all()[0]?.number?.source)
  add(comment('2'))
  expect(rows.all()[1]?.number).toEqual({ source: next.source, number: NOW + 11 })
})

test('a mutation is done now, or after the last one where the clock went back', () => {
  const { rows, add } = open()
  const first = add(comment('先'))
  rows.add(AOI, { mutation: comment('後'), about: 'あおい', id: newId() }, NOW - 5000)
  expect(rows.all().map((it) => it.createdAt)).toEqual([NOW, NOW + 1])
  expect(rows.all()[0]?.id).toBe(first)
})

test('replacing, changing and dropping one row leaves the others', () => {
  const { rows, add } = open()
  const others = [add(comment('一')), add(comment('二'), REN)]
  add(like)
  add(unlike)
  const last = defined(rows.all().find((it) => it.form.mutation.name === 'unlikePost')?.id)
  expect(
    rows
      .all()
      .map((it) => it.id)
      .toSorted(),
  ).toEqual([...others, last].toSorted())
  rows.change(last, (job) => ({ ...job, attempts: 3 }))
  expect(
    rows
      .all()
      .map((it) => [it.id, it.attempts])
      .toSorted(),
  ).toEqual([...others.map((id) => [id, 0]), [last, 3]].toSorted())
  rows.drop(last)
  expect(
    rows
      .all()
      .map((it) => it.id)
      .toSorted(),
  ).toEqual(others.toSorted())
})

test('an answered mutation leaves earlier ones of other targets, and retaining all rows is no change', () => {
  const { rows, world, add } = open()
  const other = add({ name: 'likePost', params: { post_id: newId() } })
  rows.dropUpTo(add(like))
  expect(rows.all().map((it) => it.id)).toEqual([other])
  const before = world.changes
  rows.retain(AOI)
  expect(world.changes).toBe(before)
})
