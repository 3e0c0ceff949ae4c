// What adding a post stores, and that a refused add leaves no files.
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addPlan } from '#server/store/plans/plans.ts'
import {
  addPost,
  call,
  errorOf,
  type FormValue,
  identify,
  type Member,
  postIdOf,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { refusedAdd } from '#server/testing/refusing.ts'
import { openWorld, type World, storedAt } from '#server/testing/world.ts'

let world: World
let creator: Member
beforeAll(async () => {
  world = await openWorld()
  creator = await identify(world, await signUp(world))
})
afterAll(() => world.close())

type Field = readonly [string, FormValue]
const text: readonly Field[] = [
  ['content', '本文'],
  ['type', '1'],
]
const add = (fields: readonly Field[], key = newId()) => addPost(world, creator, fields, key)
const uploads = () => readdir(storedAt(world, 'uploads'))
const see = async (id: string) => (await call(world, creator, 'GET', `/posts/${id}`)).json()
const planOf = async (owner: Member) => {
  const plan = { id: newId(), creatorId: owner.id, name: '応援', price: 300 }
  await addPlan(world.deps.db, { ...plan, createdAt: new Date(world.clock.now) })
  return plan.id
}

test('a repeated request whose post was deleted is post_deleted', async () => {
  const key = newId()
  const id = postIdOf(await add(text, key))
  await call(world, creator, 'POST', `/post/release-uploaded/${id}`)
  await call(world, creator, 'DELETE', `/posts/${id}`)
  const again = await add(text, key)
  expect([again.statusCode, errorOf(again)]).toEqual([410, { code: 'post_deleted' }])
})

test('a conflict over an upload leaves no file of the request on the disk', async () => {
  const video = await upload(world, creator, fixture('h264.mp4'), 'a.mp4')
  const thumbnail: Field = ['video_thumbnail_file', { name: 't.jpg', bytes: await jpeg() }]
  const fields: readonly Field[] = [...text, ['has_video_file', video], thumbnail]
  expect((await add(fields)).statusCode).toBe(200)
  const before = await uploads()
  expect(await refusedAdd(world, creator, fields)).toEqual([
    409,
    { code: 'conflict', fields: { [video]: 'unknown_upload' } },
  ])
  expect(await uploads()).toEqual(before)
})

test('a second blurred picture is not stored', async () => {
  const blurred = async (width: number): Promise<Field> => [
    'blurred_image_file',
    { name: 'b.jpg', bytes: await jpeg(width, 30) },
  ]
  const before = (await uploads()).length
  expect((await add([...text, await blurred(40), await blurred(50)])).statusCode).toBe(200)
  expect((await uploads()).length).toBe(before + 1)
})

test('the price of an open post and the plans of a post of another type are not stored', async () => {
  const plan = await planOf(creator)
  const open = postIdOf(await add([...text, ['price', '500'], ['plan_id[]', newId()]]))
  expect((await see(open)).access.opens_with).toEqual({ plan_ids: [], price: null })
  const priced = postIdOf(
    await add([
      ['content', '本文'],
      ['type', '3'],
      ['price', '500'],
      ['plan_id[]', plan],
    ]),
  )
  expect((await see(priced)).access.opens_with).toEqual({ plan_ids: [], price: 500 })
})

test('a plan that is named twice opens the post once', async () => {
  const plan = await planOf(creator)
  const id = postIdOf(
    await add([
      ['content', '本文'],
      ['type', '2'],
      ['plan_id[]', plan],
      ['plan_id[]', plan],
    ]),
  )
  expect((await see(id)).access.opens_with).toEqual({ plan_ids: [plan], price: null })
})

test('another creator’s plan opens no post, even beside a plan of the author', async () => {
  const [own, foreign] = [await planOf(creator), await planOf(await signUp(world))]
  const fields: readonly Field[] = [
    ['content', '本文'],
    ['type', '2'],
    ['plan_id[]', own],
    ['plan_id[]', foreign],
  ]
  expect(await refusedAdd(world, creator, fields)).toEqual([
    422,
    { code: 'invalid', fields: { 'plan_id[]': 'unknown_plan' } },
  ])
})
