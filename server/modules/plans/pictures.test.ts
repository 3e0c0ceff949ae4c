// The picture of a plan: shown when it is converted, and removed with its files.
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { addPlan } from '#server/store/plans/plans.ts'
import { call, errorOf, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ worker: true })
})
afterAll(() => world.close())

async function planOf(creator: Member): Promise<string> {
  const plan = { id: newId(), creatorId: creator.id, name: '応援', price: 300 }
  await addPlan(world.deps.db, { ...plan, createdAt: new Date(world.clock.now) })
  return plan.id
}

async function put(by: Member, planId: string, bytes: Buffer) {
  const form = new FormData()
  form.append('picture', new Blob([new Uint8Array(bytes)]), '表紙.jpg')
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return call(world, by, 'PUT', `/plans/${planId}/picture`, body, headers)
}

const ownPlan = async (by: Member) =>
  (await call(world, by, 'GET', '/plans/own')).json<{ plans: OwnPlan[] }>().plans[0]

async function converted(by: Member): Promise<string> {
  await expect.poll(async () => (await ownPlan(by))?.next_picture !== 'making').toBeTruthy()
  return (await ownPlan(by))?.picture?.sources.at(-1)?.src ?? ''
}

const idOf = (url: string) => url.split('/').at(-2) ?? ''
const getFile = (url: string) => world.app.inject({ method: 'GET', url })

test('a sent picture is shown when it is converted, and replaces the one before, whose files go', async () => {
  const creator = await identify(world, await signUp(world))
  const planId = await planOf(creator)
  expect((await put(creator, planId, await jpeg(1200, 675))).json()).toMatchObject({
    picture: null,
    next_picture: 'making',
  })
  const first = await converted(creator)
  expect((await getFile(first)).statusCode).toBe(200)
  const fan = await signUp(world)
  const { plans } = (await call(world, fan, 'GET', `/users/${creator.id}`)).json()
  expect(plans[0].picture.sources.at(-1)).toEqual({ src: first, width: 1200 })
  expect((await put(creator, planId, await jpeg(640, 360))).json().picture.sources.at(-1).src).toBe(first)
  const second = await converted(creator)
  expect(second).not.toBe(first)
  await expect.poll(() => !existsSync(world.deps.files.uploadPath(idOf(first)))).toBeTruthy()
  expect((await getFile(first)).statusCode).toBe(404)
  const removed = await call(world, creator, 'DELETE', `/plans/${planId}/picture`)
  expect(removed.json()).toMatchObject({ picture: null, next_picture: 'none' })
  await expect.poll(() => !existsSync(world.deps.files.uploadPath(idOf(second)))).toBeTruthy()
})

test('a picture that cannot be converted is reported, and the original of a plan’s picture is closed', async () => {
  const creator = await identify(world, await signUp(world))
  const planId = await planOf(creator)
  await put(creator, planId, (await jpeg(300, 300)).subarray(0, 200))
  await converted(creator)
  expect(await ownPlan(creator)).toMatchObject({ picture: null, next_picture: 'failed' })
  await put(creator, planId, await jpeg(300, 300))
  const url = await converted(creator)
  expect((await getFile(url.replace(/w\d+$/, 'original'))).statusCode).toBe(403)
})

test('another person cannot set or remove it, and what is no picture is refused', async () => {
  const creator = await identify(world, await signUp(world))
  const planId = await planOf(creator)
  const other = await signUp(world)
  expect(errorOf(await put(other, planId, await jpeg())).code).toBe('not_found')
  expect(errorOf(await put(creator, planId, Buffer.from('文章'))).code).toBe('unsupported_media')
  const rows = await world.database.executeSql('select id from uploads where owner_id = any($1)', [
    [creator.id, other.id],
  ])
  expect(rows.rows).toEqual([])
})
