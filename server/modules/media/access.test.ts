// Which viewers may read which media files.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { setPicture } from '#server/store/people/people.ts'
import { addPlan, joinPlan } from '#server/store/plans/plans.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { call, errorOf, type Member, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let creator: Member
let fan: Member
let post: Studio['post']
let view: Studio['view']
let processedMedia: Studio['processedMedia']
let file: Studio['file']
let image: Studio['image']
let addressOf: Studio['addressOf']
beforeAll(async () => {
  world = await openWorld({ worker: true })
  ;({ creator, fan, post, view, processedMedia, file, image, addressOf } = await openStudio(world))
})
afterAll(() => world.close())

describe('access to media files', () => {
  const variants = ['w480', 'blurred', 'original']
  const statusesFor = async (id: string, as: Member | null) =>
    Promise.all(variants.map(async (it) => (await file(id, it, as)).statusCode))

  test('files of an open post are public except the original, and shared caches may store them', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    await processedMedia(await post([['type', '1'], field]))
    expect(await statusesFor(id, null)).toEqual([200, 200, 403])
    expect(await statusesFor(id, creator)).toEqual([200, 200, 200])
    expect((await file(id, 'w480', null)).headers['cache-control']).toBe(
      'public, max-age=31536000, s-maxage=60, immutable',
    )
    expect((await file(id, 'w480', null)).headers['vary']).toBeUndefined()
  })

  test('files of an unreleased post exist only for its author', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    await processedMedia(await post([['type', '1'], field], false))
    expect(await statusesFor(id, creator)).toEqual([200, 200, 200])
    expect(await statusesFor(id, fan)).toEqual([404, 404, 404])
    expect(await statusesFor(id, null)).toEqual([404, 404, 404])
    expect((await file(id, 'w480', creator)).headers['cache-control']).toBe('private, no-cache')
  })

  test('a priced post is blurred for a member until the purchase, and no shared cache stores its files', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    const postId = await post([['type', '3'], ['price', '500'], field])
    await processedMedia(postId)
    expect(await statusesFor(id, fan)).toEqual([403, 200, 403])
    expect(errorOf(await file(id, 'w480', null)).code).toBe('forbidden')
    expect((await view(postId, fan)).access).toEqual({
      is: 'preview',
      wants: 'purchase',
      blurred_url: addressOf(id, 'blurred', fan),
      image_count: 1,
      has_video: false,
      text_length: 4,
      price: 500,
      plans: [],
    })
    expect((await file(id, 'blurred', fan)).headers['cache-control']).toMatch(/^private/)
    await addPurchase(world.deps.db, postId, fan.id, 500, world.clock.now)
    expect(await statusesFor(id, fan)).toEqual([200, 200, 403])
    expect(await statusesFor(id, creator)).toEqual([200, 200, 200])
    expect((await file(id, 'w480', fan)).headers).toMatchObject({
      'cache-control': 'private, max-age=300',
      vary: 'Authorization, Cookie',
    })
  })

  test('a plan post is blurred for a member until joining the plan', async () => {
    const plan = { id: newId(), creatorId: creator.id, name: '応援', price: 300, createdAt: new Date() }
    await addPlan(world.deps.db, plan)
    const [field, id] = await image(await jpeg(), 'a.jpg')
    const postId = await post([['type', '2'], ['plan_id[]', plan.id], field])
    await processedMedia(postId)
    const member = await signUp(world)
    expect(await statusesFor(id, member)).toEqual([403, 200, 403])
    expect((await view(postId, member)).access).toMatchObject({
      wants: 'plan',
      plans: [{ id: plan.id, name: '応援', price: 300 }],
    })
    await joinPlan(world.deps.db, plan.id, member.id, world.clock.now)
    expect(await statusesFor(id, member)).toEqual([200, 200, 403])
  })

  test('an age-limited post is blurred for members who did not choose to see such posts', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    const postId = await post([['type', '1'], ['is_age_limited', '1'], field])
    await processedMedia(postId)
    expect(await statusesFor(id, null)).toEqual([403, 403, 403])
    const optedOut = await signUp(world)
    expect(await statusesFor(id, optedOut)).toEqual([403, 200, 403])
    expect((await view(postId, optedOut)).access).toMatchObject({ is: 'preview', wants: 'age' })
    await call(world, fan, 'PATCH', '/settings/privacy', { shows_age_limited: true })
    expect(await statusesFor(id, fan)).toEqual([200, 200, 403])
  })

  test('files of a deleted post are not_found for every viewer, including its author', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    const postId = await post([['type', '1'], field])
    await processedMedia(postId)
    await world.database.executeSql('update posts set deleted_at = now() where id = $1', [postId])
    expect(await statusesFor(id, creator)).toEqual([404, 404, 404])
    expect((await call(world, creator, 'GET', `/posts/${postId}`)).statusCode).toBe(404)
  })

  test('no cache stores a refusal', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    await processedMedia(await post([['type', '1'], field]))
    const missing = await file(id, 'poster', null)
    expect([missing.statusCode, missing.headers['cache-control']]).toEqual([404, 'no-store'])
  })

  test('an upload that no post holds, an unknown id and an unknown variant are not_found', async () => {
    const id = await upload(world, creator, await jpeg(), 'a.jpg')
    for (const [mediaId, variant] of [
      [id, 'original'],
      [newId(), 'w480'],
      ['nonsense', 'w480'],
      [id, '..%2f..%2fx'],
    ]) {
      expect(errorOf(await file(defined(mediaId), defined(variant), creator)).code).toBe('not_found')
    }
  })

  test('a profile picture is public except its original', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    await processedMedia(await post([['type', '1'], field]))
    await world.database.executeSql('delete from post_media where media_id = $1', [id])
    await setPicture(world.deps.db, creator.id, 'avatar', id)
    expect(await statusesFor(id, null)).toEqual([200, 200, 403])
    expect((await call(world, fan, 'GET', `/users/${creator.id}`)).json()).toMatchObject({
      avatar_url: `/api/media/${id}/w240`,
    })
  })
})
