// Changes and deletion of released posts by their authors, and the access of buyers.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { defined } from '#contract/testing/defined.ts'
import { addPlan } from '#server/store/plans/plans.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import {
  addPost,
  call,
  errorOf,
  type Member,
  postIdOf,
  identify,
  signInAgain,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { publish } from '#server/testing/published.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { DELETED_LIFE, emptyDeletedPosts } from './deleted.ts'

let world: World
let author: Member
let fan: Member
beforeAll(async () => {
  world = await openWorld()
  author = await identify(world, await signUp(world))
  fan = await signUp(world)
  return () => world.close()
})

const change = (as: Member | null, post: string, body: object) =>
  call(world, as, 'PATCH', `/posts/${post}`, body)
const remove = (as: Member, post: string) => call(world, as, 'DELETE', `/posts/${post}`)
const see = async (as: Member | null, post: string) =>
  (await call(world, as, 'GET', `/posts/${post}`)).json<PostView>()
const codeOf = (reply: Parameters<typeof errorOf>[0]) => errorOf(reply).code
const plan = async (creator: Member) => {
  const id = newId()
  const createdAt = new Date(world.clock.now)
  await addPlan(world.deps.db, { id, creatorId: creator.id, name: 'プラン', price: 500, createdAt })
  return id
}

test('a changed text sets edited_at, the same text does not', async () => {
  const post = await publish(world, author, { content: '前' })
  expect((await change(author, post, { content: '前' })).json()).toMatchObject({ edited_at: null })
  world.clock.now += 60_000
  expect((await change(author, post, { content: '後' })).json()).toMatchObject({
    edited_at: new Date(world.clock.now).toISOString(),
    access: { content: '後' },
  })
  expect(await see(fan, post)).toMatchObject({ access: { content: '後' } })
})

test('the search index has the new text of a changed post, and no deleted post', async () => {
  const post = await publish(world, author)
  const indexed = async () =>
    (await world.database.executeSql('select folded from post_search where post_id = $1', [post])).rows
  await change(author, post, { content: 'こがらし' })
  expect(await indexed()).toEqual([{ folded: 'コガラシ' }])
  await remove(author, post)
  expect(await indexed()).toEqual([])
})

test('only its author can change or delete a post', async () => {
  const post = await publish(world, author)
  for (const reply of [await change(fan, post, { content: 'x' }), await remove(fan, post)])
    expect(codeOf(reply)).toBe('not_found')
  expect(codeOf(await change(null, post, { content: 'x' }))).toBe('unauthenticated')
  expect(await see(fan, post)).toMatchObject({ access: { content: '本文' } })
})

test('a post that is not released is neither changed nor deleted', async () => {
  const added = await addPost(world, author, [
    ['type', '1'],
    ['content', '本文'],
  ])
  const post = postIdOf(added)
  for (const reply of [await change(author, post, { content: 'x' }), await remove(author, post)])
    expect(codeOf(reply)).toBe('not_found')
  expect((await call(world, author, 'POST', `/post/release-uploaded/${post}`)).statusCode).toBe(200)
  expect(await see(author, post)).toMatchObject({ access: { content: '本文' }, edited_at: null })
})

test('a post without media must have text', async () => {
  const post = await publish(world, author)
  expect(errorOf(await change(author, post, { content: ' \n' }))).toEqual({
    code: 'invalid',
    fields: { content: 'empty_post' },
  })
})

test('the text of a post with a picture may be removed', async () => {
  const image = await upload(world, author, await jpeg(), 'a.jpg')
  const added = await addPost(world, author, [
    ['type', '1'],
    ['content', '写真'],
    ['has_image_file[]', image],
  ])
  const post = postIdOf(added)
  await call(world, author, 'POST', `/post/release-uploaded/${post}`)
  expect((await change(author, post, { content: '' })).statusCode).toBe(200)
  expect(await see(fan, post)).toMatchObject({ access: { content: '' } })
})

test('an open post that becomes priced closes at once for others, and can be opened again', async () => {
  const post = await publish(world, author)
  await change(author, post, { audience: { type: 3, price: 500 } })
  expect(await see(fan, post)).toMatchObject({ access: { is: 'preview', wants: 'purchase', price: 500 } })
  await change(author, post, { audience: { type: 1 } })
  expect(await see(fan, post)).toMatchObject({ type: 1, access: { is: 'full' }, edited_at: null })
  expect(await see(author, post)).toMatchObject({ access: { opens_with: { plan_ids: [], price: null } } })
})

test('a plan post opens with the plans named last; plans of another creator are refused', async () => {
  const [first, second] = [await plan(author), await plan(author)]
  const post = await publish(world, author)
  await change(author, post, { audience: { type: 2, plan_ids: [first] } })
  await change(author, post, { audience: { type: 2, plan_ids: [second, second] } })
  expect(await see(fan, post)).toMatchObject({ access: { wants: 'plan', plans: [{ id: second }] } })
  const foreign = await change(author, post, { audience: { type: 2, plan_ids: [await plan(fan)] } })
  expect(errorOf(foreign).fields).toEqual({ plan_ids: 'unknown_plan' })
})

test('a plan that has ended since stays among the plans of its post, and opens no other', async () => {
  const [ended, running] = [await plan(author), await plan(author)]
  const [post, other] = [await publish(world, author), await publish(world, author)]
  await change(author, post, { audience: { type: 2, plan_ids: [ended] } })
  await world.database.executeSql('update plans set ends_at = $2 where id = $1', [
    ended,
    new Date(world.clock.now - 1000).toISOString(),
  ])
  const both = { audience: { type: 2, plan_ids: [ended, running] } }
  expect((await change(author, post, both)).statusCode).toBe(200)
  expect(errorOf(await change(author, other, both)).fields).toEqual({ plan_ids: 'unknown_plan' })
})

test('comments can be closed and opened again without a change of the text', async () => {
  const post = await publish(world, author, { content: '前' })
  for (const closed of [true, false])
    expect((await change(author, post, { comments_closed: closed })).json()).toMatchObject({
      comments_closed: closed,
      edited_at: null,
    })
})

describe('a post that gets a word of the operator', () => {
  const run = async (statement: string, values: unknown[] = []) =>
    (await world.database.executeSql(statement, values)).rows
  const held = async (): Promise<string> => {
    const post = await publish(world, author, { content: '前' })
    await run(`insert into blocked_words (id, word, folded, created_at) values ($1, '禁句', '禁句', now())`, [
      newId(),
    ])
    expect((await change(author, post, { content: 'これは禁句です' })).statusCode).toBe(200)
    await run('delete from blocked_words')
    return post
  }
  const endOf = (post: string) => run('select state from holds where target_id = $1', [post])

  test('is held for its author alone, who may change it', async () => {
    const post = await held()
    const earlier = 'select released_at is not null as was_released from holds where target_id = $1'
    expect(await run(earlier, [post])).toEqual([{ was_released: true }])
    expect(codeOf(await call(world, fan, 'GET', `/posts/${post}`))).toBe('not_found')
    expect((await change(author, post, { content: '後' })).statusCode).toBe(200)
    expect(await see(author, post)).toMatchObject({ access: { content: '後' } })
  })

  test('and is deleted by its author is held no more', async () => {
    const post = await held()
    expect((await remove(author, post)).statusCode).toBe(200)
    expect(await endOf(post)).toEqual([{ state: 'withdrawn' }])
  })
})

test.each([
  [{ type: 3, price: 99 }, 'price', 'too_small'],
  [{ type: 3, price: 50_001 }, 'price', 'too_large'],
  [{ type: 2, plan_ids: [] }, 'plan_ids', 'required'],
])('the audience %j is refused', async (audience, field, code) => {
  const post = await publish(world, author)
  expect(Object.entries(defined(errorOf(await change(author, post, { audience })).fields))).toEqual([
    [expect.stringContaining(field), code],
  ])
})

test('a post that a member bought is neither deleted nor moved to plans; its price may change', async () => {
  const post = await publish(world, author, { type: 3, price: 500 })
  await addPurchase(world.deps.db, post, fan.id, 500, world.clock.now)
  const toPlan = { audience: { type: 2, plan_ids: [await plan(author)] } }
  expect(codeOf(await change(author, post, toPlan))).toBe('sold')
  expect(codeOf(await remove(author, post))).toBe('sold')
  expect((await change(author, post, { audience: { type: 3, price: 900 } })).statusCode).toBe(200)
  expect(await see(fan, post)).toMatchObject({ access: { is: 'full' } })
  await world.database.executeSql('update post_purchases set revoked_at = now() where post_id = $1', [post])
  expect((await remove(author, post)).statusCode).toBe(200)
})

test('the plans of a plan post may change although a member bought it before', async () => {
  const post = await publish(world, author, { type: 2 })
  await addPurchase(world.deps.db, post, fan.id, 500, world.clock.now)
  const planId = await plan(author)
  expect((await change(author, post, { audience: { type: 2, plan_ids: [planId] } })).statusCode).toBe(200)
  expect(await see(author, post)).toMatchObject({ access: { opens_with: { plan_ids: [planId] } } })
})

test('a deleted post is not_found for everyone at once, and deleting it again changes nothing', async () => {
  const post = await publish(world, author)
  expect((await remove(author, post)).statusCode).toBe(200)
  expect((await remove(author, post)).statusCode).toBe(200)
  for (const as of [author, fan])
    expect((await call(world, as, 'GET', `/posts/${post}`)).statusCode).toBe(404)
  expect(codeOf(await change(author, post, { content: 'x' }))).toBe('not_found')
  const { rows } = await world.database.executeSql('select content from posts where id = $1', [post])
  expect(rows).toEqual([{ content: '本文' }])
  expect(codeOf(await call(world, author, 'POST', `/post/release-uploaded/${post}`))).toBe('post_deleted')
})

describe('thirty days after the deletion', () => {
  test('a post that was deleted twice is emptied thirty days after the first time', async () => {
    const post = await publish(world, author, { content: '短い便り' })
    await remove(author, post)
    world.clock.now += DELETED_LIFE - 1000
    author = await signInAgain(world, author)
    expect((await remove(author, post)).statusCode).toBe(200)
    world.clock.now += 2000
    await emptyDeletedPosts(world.deps)
    const { rows } = await world.database.executeSql('select content from posts where id = $1', [post])
    expect(rows).toEqual([{ content: '' }])
  })

  test('a deleted post loses its text and files, and other posts lose nothing', async () => {
    const publishImage = async () => {
      const image = await upload(world, author, await jpeg(), 'a.jpg')
      const added = await addPost(world, author, [
        ['content', '写真'],
        ['type', '1'],
        ['has_image_file[]', image],
      ])
      const id = postIdOf(added)
      await call(world, author, 'POST', `/post/release-uploaded/${id}`)
      return { id, image }
    }
    const [deleted, other] = [await publishImage(), await publishImage()]
    await remove(author, deleted.id)
    const stored = async ({ id }: { id: string }) => {
      const { rows } = await world.database.executeSql(
        `select content, (select count(*)::int from post_media where post_id = $1) as media from posts where id = $1`,
        [id],
      )
      return rows[0]
    }
    const removalJobs = async () => {
      const { rows } = await world.database.executeSql(
        `select data from pgboss.job where name = 'media.remove'`,
      )
      return rows
    }
    world.clock.now += DELETED_LIFE - 1000
    await emptyDeletedPosts(world.deps)
    expect([await stored(deleted), await removalJobs()]).toEqual([{ content: '写真', media: 1 }, []])
    world.clock.now += 2000
    await emptyDeletedPosts(world.deps)
    await emptyDeletedPosts(world.deps)
    expect(await stored(deleted)).toEqual({ content: '', media: 0 })
    expect(await removalJobs()).toEqual([{ data: { mediaId: deleted.image } }])
    expect(await stored(other)).toEqual({ content: '写真', media: 1 })
  })
})
