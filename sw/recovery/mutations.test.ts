// Tests likes, follows and comments while server or device lose state (docs/recovery.md).
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { listMutations, queueMutation } from '#device/mutations/mutations.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { fakeLocks } from '#sw/testing/picking.ts'
import { resetDevice, restoreSnapshot, runMutations, signInOnDevice, takeSnapshot } from './test-device.ts'

const DAY = 24 * 3600 * 1000

let world: World
let author: Member
let fan: Member
let post: string

beforeAll(async () => {
  world = await openWorld({ listen: true })
})
afterAll(() => world.close())
beforeEach(async () => {
  vi.stubGlobal('navigator', { locks: fakeLocks() })
  await resetDevice()
  world.clock.now = Date.now()
  author = await signUp(world)
  fan = await signUp(world)
  post = await publish(world, author)
  await signInOnDevice(fan)
})
afterEach(async () => {
  await resetDevice()
  vi.unstubAllGlobals()
})

const enqueue = (mutation: Mutation, now = Date.now()) =>
  queueMutation(fan.id, { mutation, about: '会員' }, now)
const like = (): Mutation => ({ name: 'likePost', params: { post_id: post } })
const unlike = (): Mutation => ({ name: 'unlikePost', params: { post_id: post } })
const comment = (content: string, id = newId()): Mutation => ({
  name: 'addComment',
  params: { post_id: post },
  body: { id, content },
})
const isLiked = async () => (await call(world, fan, 'GET', `/posts/${post}`)).json().liked as boolean
const comments = async () =>
  (await call(world, fan, 'GET', `/posts/${post}/comments`))
    .json()
    .comments.map((it: { body: { is: string; content?: string } }) => it.body.content ?? it.body.is)

test('a comment is stored once after its answer was lost and the database was rolled back', async () => {
  await enqueue(comment('一度だけ'))
  await runMutations(world, { cut: { at: 'POST /api/posts', received: true } })
  await world.database.executeSql('delete from comments where author_id = $1', [fan.id])
  await runMutations(world)
  expect(await comments()).toEqual(['一度だけ'])
  expect(await listMutations(fan.id)).toEqual([])
})

test('a comment that a copy of the device sends again is stored once', async () => {
  await enqueue(comment('写しからも'))
  const copy = await takeSnapshot()
  await runMutations(world)
  await restoreSnapshot(copy)
  await runMutations(world)
  expect(await comments()).toEqual(['写しからも'])
  expect(await listMutations(fan.id)).toEqual([])
})

test.each([0, 30])(
  'a comment deleted %i days ago is not stored again by a copy of the device',
  async (days) => {
    const id = newId()
    await enqueue(comment('消したコメント', id))
    const copy = await takeSnapshot()
    await runMutations(world)
    expect((await call(world, fan, 'DELETE', `/comments/${id}`)).statusCode).toBe(200)
    world.clock.now += days * DAY
    await restoreSnapshot(copy)
    await runMutations(world)
    expect(await comments()).toEqual([])
  },
)

test('a restored phone whose clock is behind can like a post', async () => {
  await enqueue(like())
  await runMutations(world)
  const copy = await takeSnapshot()
  await enqueue(unlike(), Date.now() + 1000)
  await runMutations(world)
  await restoreSnapshot(copy)
  await enqueue(like(), Date.now() - 60_000)
  await runMutations(world, { clockOffset: -60_000 })
  expect(await isLiked()).toBe(true)
  expect(await listMutations(fan.id)).toEqual([])
})

test.each([-DAY, 365 * DAY])(
  'the last press counts when the device’s clock jumps by %i ms between likes',
  async (clockOffset) => {
    await enqueue(like())
    await runMutations(world)
    await enqueue(unlike(), Date.now() + clockOffset)
    await runMutations(world, { clockOffset })
    expect(await isLiked()).toBe(false)
    await enqueue(like())
    await runMutations(world)
    expect(await isLiked()).toBe(true)
  },
)
