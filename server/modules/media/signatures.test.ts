// Signed addresses: valid for one viewer, one file class and some hours, within the policy.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBlock } from '#server/store/people/blocks.ts'
import { addPurchase, revokePurchase } from '#server/store/posts/posts.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000
const BUCKET = 6 * HOUR

let world: World
let studio: Studio
let buyer: Member
let other: Member
let id: string
let postId: string
beforeAll(async () => {
  world = await openWorld({ worker: true })
  studio = await openStudio(world)
  buyer = studio.fan
  other = await signUp(world)
  const [field, mediaId] = await studio.image(await jpeg(), 'a.jpg')
  id = mediaId
  postId = await studio.post([['type', '3'], ['price', '500'], field])
  await studio.processedMedia(postId)
  for (const it of [buyer, other]) await addPurchase(world.deps.db, postId, it.id, 500, world.clock.now)
  world.clock.now = Math.ceil(world.clock.now / BUCKET) * BUCKET
})
afterAll(() => world.close())

const statusOf = async (path: string, as: Member | null) => (await studio.get(path, as)).statusCode
const addressShownTo = async (as: Member) => {
  const { access } = await studio.view(postId, as)
  const [media] = access.is === 'full' ? access.media : []
  return media?.kind === 'image' ? (media.sources[0]?.src ?? '') : ''
}

describe('the address that a buyer receives', () => {
  test('opens the file to the buyer, by token or by cookie', async () => {
    const path = await addressShownTo(buyer)
    expect(await statusOf(path, buyer)).toBe(200)
    const cookie = `todoke_token=${encodeURIComponent(`Bearer ${buyer.token}`)}`
    expect((await studio.get(path, null, { cookie })).statusCode).toBe(200)
  })

  test('is forbidden to another buyer, to a visitor and to the author', async () => {
    const path = await addressShownTo(buyer)
    for (const as of [other, null, studio.creator]) {
      const reply = await studio.get(path, as)
      expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'forbidden'])
    }
  })

  test('opens the shown files of one media, and no other class of its files and no other media', async () => {
    const path = await addressShownTo(buyer)
    const [, query] = path.split('?')
    expect(await statusOf(`/api/media/${id}/blurred?${query}`, buyer)).toBe(403)
    const [field, another] = await studio.image(await jpeg(), 'b.jpg')
    const second = await studio.post([['type', '3'], ['price', '500'], field])
    await studio.processedMedia(second)
    await addPurchase(world.deps.db, second, buyer.id, 500, world.clock.now)
    expect(await statusOf(`/api/media/${another}/w480?${query}`, buyer)).toBe(403)
    expect((await studio.file(another, 'w480', buyer)).statusCode).toBe(200)
  })

  test.each([
    ['without a signature', (path: string) => path.split('?')[0] ?? ''],
    ['without an expiry time', (path: string) => path.replace(/exp=\d+&/, '')],
    [
      'with a later expiry time',
      (path: string) => path.replace(/exp=(\d+)/, (_, at) => `exp=${Number(at) + 1}`),
    ],
    ['with an expiry time in exponent notation', (path: string) => path.replace(/exp=\d+/, 'exp=1e9')],
    ['with two expiry times', (path: string) => `${path}&exp=1`],
    ['with another signature', (path: string) => path.replace(/sig=.{4}/, 'sig=AAAA')],
    ['with a truncated signature', (path: string) => path.slice(0, -10)],
    ['with a very long signature', (path: string) => path + 'A'.repeat(5000)],
  ])('%s is forbidden', async (_, altered) => {
    const reply = await studio.get(altered(await addressShownTo(buyer)), buyer)
    expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'forbidden'])
    expect(reply.headers['cache-control']).toBe('no-store')
  })
})

describe('the validity of an address', () => {
  test('lasts at least six hours more than the six in which the address is the same', async () => {
    const start = world.clock.now
    const first = await addressShownTo(buyer)
    world.clock.now = start + BUCKET - 1
    expect(await addressShownTo(buyer)).toBe(first)
    world.clock.now = start + 2 * BUCKET - 1
    expect(await addressShownTo(buyer)).not.toBe(first)
    expect(await statusOf(first, buyer)).toBe(200)
    world.clock.now = start + 2 * BUCKET
    const expiredReply = await studio.get(first, buyer)
    expect([expiredReply.statusCode, expiredReply.headers['cache-control']]).toEqual([307, 'no-store'])
    expect(expiredReply.headers.location).toBe(await addressShownTo(buyer))
  })

  test('ends with redirects of its own viewer only, and only while the policy grants access', async () => {
    const path = await addressShownTo(buyer)
    world.clock.now += 2 * BUCKET
    expect([await statusOf(path, other), await statusOf(path, null)]).toEqual([403, 403])
    await revokePurchase(world.deps.db, postId, buyer.id, world.clock.now)
    expect(await statusOf(path, buyer)).toBe(403)
    await addPurchase(world.deps.db, postId, buyer.id, 500, world.clock.now)
    expect(await statusOf(path, buyer)).toBe(307)
  })
})

describe('the access policy overrides a valid signature', () => {
  test('a refund, a block and a deletion take effect at the next request', async () => {
    const path = await addressShownTo(buyer)
    expect(await statusOf(path, buyer)).toBe(200)
    await revokePurchase(world.deps.db, postId, buyer.id, world.clock.now)
    expect(await statusOf(path, buyer)).toBe(403)
    await addPurchase(world.deps.db, postId, buyer.id, 500, world.clock.now)
    await addBlock(world.deps.db, studio.creator.id, buyer.id, world.clock.now)
    // A block leaves a bought post to its buyer (decision 138).
    expect(await statusOf(path, buyer)).toBe(200)
    await revokePurchase(world.deps.db, postId, buyer.id, world.clock.now)
    expect(await statusOf(path, buyer)).toBe(404)
    const otherAddress = await addressShownTo(other)
    await world.database.executeSql('update posts set deleted_at = now() where id = $1', [postId])
    expect(await statusOf(otherAddress, other)).toBe(404)
    expect((await call(world, other, 'GET', `/posts/${postId}`)).statusCode).toBe(404)
  })
})
