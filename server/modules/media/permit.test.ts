// Permission to read a media file: the access policy and the signature of every request.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setPicture } from '#server/store/people/people.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { open, placeMedia, priced } from '#server/testing/media/placed.ts'
import { call, errorOf, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { type Field, openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let studio: Studio
let creator: Member
let fan: Member
let buyer: Member
beforeAll(async () => {
  world = await openWorld()
  studio = await openStudio(world)
  ;({ creator, fan } = studio)
  buyer = await signUp(world)
})
afterAll(() => world.close())

const OPEN = 'public, max-age=31536000, s-maxage=60, immutable'
const REVALIDATED = 'private, no-cache'
const PRIVATE = 'private, max-age=300'
const variants = ['w480', 'blurred', 'original']
const run = (statement: string, id: string) => world.database.executeSql(statement, [id])
const picture = (fields: readonly Field[], released = true) =>
  placeMedia(world, studio, fields, {
    files: ['w480.webp', 'blurred.webp'],
    widths: [480],
    picture: true,
    released,
  })

/** What a viewer receives for each variant: the `cache-control` of the file, or the error code. */
async function outcomesFor(id: string, as: Member | null, signedFor = as): Promise<(string | undefined)[]> {
  const outcome = (reply: Reply) =>
    reply.statusCode === 200 ? String(reply.headers['cache-control']) : errorOf(reply).code
  const addresses = variants.map((it) => studio.addressOf(id, it, signedFor))
  return Promise.all(addresses.map(async (it) => outcome(await studio.get(it, as))))
}
const notFound = ['not_found', 'not_found', 'not_found']
const forbidden = ['forbidden', 'forbidden', 'forbidden']

describe('the picture of', () => {
  test('an open post is public, and its original is for the author only', async () => {
    const { id } = await picture(open)
    expect(await outcomesFor(id, null)).toEqual([OPEN, OPEN, 'forbidden'])
    expect(await outcomesFor(id, fan)).toEqual([OPEN, OPEN, 'forbidden'])
    expect(await outcomesFor(id, creator)).toEqual([OPEN, OPEN, REVALIDATED])
  })

  test('an unreleased post is for its author only, and caches revalidate it', async () => {
    const { id } = await picture(open, false)
    expect(await outcomesFor(id, creator)).toEqual([REVALIDATED, REVALIDATED, REVALIDATED])
    for (const as of [fan, null]) expect(await outcomesFor(id, as)).toEqual(notFound)
  })

  test('a priced post is blurred for a member until the purchase', async () => {
    const { id, postId } = await picture(priced)
    expect(await outcomesFor(id, null)).toEqual(forbidden)
    expect(await outcomesFor(id, fan)).toEqual(['forbidden', PRIVATE, 'forbidden'])
    await addPurchase(world.deps.db, postId, buyer.id, 500, world.clock.now)
    expect(await outcomesFor(id, buyer)).toEqual([PRIVATE, PRIVATE, 'forbidden'])
    expect(await outcomesFor(id, creator)).toEqual([PRIVATE, PRIVATE, REVALIDATED])
  })

  test('a post that was deleted is hidden from every viewer', async () => {
    const { id, postId } = await picture(open)
    await run('update posts set deleted_at = now() where id = $1', postId)
    for (const as of [creator, fan, null]) expect(await outcomesFor(id, as)).toEqual(notFound)
  })

  test('an age-limited post is hidden from a member under 18', async () => {
    const { id } = await picture([...open, ['is_age_limited', '1']])
    const young = await signUp(world, '2015-04-01')
    for (const as of [fan, young])
      await call(world, as, 'PATCH', '/settings/privacy', { shows_age_limited: true })
    expect(await outcomesFor(id, fan)).toEqual([PRIVATE, PRIVATE, 'forbidden'])
    expect(await outcomesFor(id, young)).toEqual(notFound)
  })

  test('a person is public except its original, until the account is suspended', async () => {
    const { id } = await picture(open)
    const other = await signUp(world)
    await run('delete from post_media where media_id = $1', id)
    await setPicture(world.deps.db, other.id, 'avatar', id)
    for (const as of [creator, other, null])
      expect(await outcomesFor(id, as)).toEqual([OPEN, OPEN, 'forbidden'])
    await run('update users set suspended_at = now() where id = $1', other.id)
    for (const as of [fan, null]) expect(await outcomesFor(id, as)).toEqual(notFound)
  })
})

describe('the signature', () => {
  test('of another viewer opens no file, not even to the author', async () => {
    const { id, postId } = await picture(priced)
    await addPurchase(world.deps.db, postId, buyer.id, 500, world.clock.now)
    expect(await outcomesFor(id, buyer, fan)).toEqual(forbidden)
    expect(await outcomesFor(id, creator, buyer)).toEqual(forbidden)
    expect(await outcomesFor(id, null, buyer)).toEqual(forbidden)
  })

  test('must be present and valid for a file that is not open, with each parameter once', async () => {
    const { id } = await picture(priced)
    const address = studio.addressOf(id, 'w480', creator)
    const [bare = '', query = ''] = address.split('?')
    const bad = ['', `?${query}&exp=1`, `?${query}&sig=x`, `?exp=1&sig=x`, `?${query}${'A'.repeat(80)}`]
    for (const it of bad) {
      const reply = await studio.get(bare + it, creator)
      expect([it.slice(0, 8), reply.statusCode, errorOf(reply).code]).toEqual([
        it.slice(0, 8),
        403,
        'forbidden',
      ])
    }
  })

  test('that has expired redirects its own viewer to the new address, and is forbidden to other viewers', async () => {
    const { id, postId } = await picture(priced)
    await addPurchase(world.deps.db, postId, buyer.id, 500, world.clock.now)
    const expired = studio.addressOf(id, 'w480', buyer)
    world.clock.now += 12 * 3600_000
    const reply = await studio.get(expired, buyer)
    expect([reply.statusCode, reply.headers.location]).toEqual([307, studio.addressOf(id, 'w480', buyer)])
    for (const as of [fan, creator, null]) expect((await studio.get(expired, as)).statusCode).toBe(403)
  })
})
