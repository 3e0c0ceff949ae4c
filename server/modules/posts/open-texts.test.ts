// A closed post shows its title, introduction and length, and nothing else.
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { MAX_INTRODUCTION, MAX_POST_TITLE } from '#contract/limits.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { changePrivacy } from '#server/store/accounts/settings.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { buy, purchasesOf, receiptOf } from '#server/testing/payments/bought.ts'
import { releasedPost } from '#server/testing/payments/shop.ts'
import {
  addPost,
  call,
  errorOf,
  identify,
  type Member,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { DELETED_LIFE, emptyDeletedPosts } from './deleted.ts'

const SECRET = 'ひみつの本文'
const TITLE = '壁紙サイズの原画'
const INTRODUCTION = '三枚をまとめました。\n印刷にも使えます。'

let world: World
let author: Member
let fan: Member
let priced: string
let aged: string
const adult: readonly (readonly [string, string])[] = [['is_age_limited', '1']]
const forSale = (more: readonly (readonly [string, string])[] = []) =>
  releasedPost(world, author, [
    ['content', SECRET],
    ['title', ` ${TITLE} `],
    ['introduction', INTRODUCTION.replace('\n', '\r\n')],
    ['type', '3'],
    ['price', '500'],
    ...more,
  ])
beforeAll(async () => {
  world = await openWorld()
  author = await identify(world, await signUp(world))
  fan = await signUp(world)
  priced = await forSale()
  aged = await forSale(adult)
  return () => world.close()
})

const read = async (as: Member | null, path: string) => (await call(world, as, 'GET', path)).body
const see = async (as: Member, id: string) => (await call(world, as, 'GET', `/posts/${id}`)).json<PostView>()
const found = async (as: Member, q: string) =>
  (await call(world, as, 'GET', `/search/posts?q=${encodeURIComponent(q)}`))
    .json<{ posts: PostView[] }>()
    .posts.map((it) => it.id)
const change = (as: Member, post: string, body: object) => call(world, as, 'PATCH', `/posts/${post}`, body)

test('before it is bought, a post shows title, introduction and how much it has', async () => {
  expect(await see(fan, priced)).toMatchObject({
    title: TITLE,
    introduction: INTRODUCTION,
    access: { is: 'preview', wants: 'purchase', text_length: 6, image_count: 0, has_video: false },
  })
})

test('the seconds of a video are shown where they are known', async () => {
  const bytes = await readFile('server/testing/fixtures/h264.mp4')
  const uploaded = await upload(world, author, bytes, 'a.mp4')
  const film = await forSale([
    ['has_video_file', uploaded],
    ['video_duration', '754'],
  ])
  expect(await see(fan, film)).toMatchObject({ access: { has_video: true, video_seconds: 754 } })
})

test('no list, search or record shows the content of a closed post', async () => {
  const pages = [
    `/posts/${priced}`,
    `/posts?author=${author.id}`,
    '/feed/latest',
    '/feed/following',
    '/feed/plans',
    `/search/posts?q=${encodeURIComponent('壁紙')}`,
    `/posts/${priced}/comments`,
    `/users/${author.id}`,
    '/payments',
    '/notifications',
  ]
  await call(world, fan, 'POST', `/users/${author.id}/follow`)
  for (const page of pages) expect(`${page} ${await read(fan, page)}`).not.toContain(SECRET)
  const listing = [
    `/posts?author=${author.id}`,
    '/feed/latest',
    `/search/posts?q=${encodeURIComponent('壁紙')}`,
  ]
  for (const page of listing) expect(`${page} ${await read(fan, page)}`).toContain(TITLE)
})

describe('a search', () => {
  test('finds a closed post by words of its title and introduction, and not by its text', async () => {
    expect(await found(fan, '壁紙')).toContain(priced)
    expect(await found(fan, '印刷 原画')).toContain(priced)
    for (const q of [SECRET, `壁紙 ${SECRET}`, 'ひ', '壁紙 ひみつ'])
      expect([q, ...(await found(fan, q))]).toEqual([q])
    expect(await found(author, `壁紙 ${SECRET}`)).toContain(priced)
  })

  test('finds a changed title, and the old one no more', async () => {
    const post = await forSale()
    await change(author, post, { title: 'こがらし' })
    expect(await found(fan, 'こがらし')).toEqual([post])
    expect(await found(fan, '壁紙')).not.toContain(post)
  })
})

describe('title and introduction follow', () => {
  const openOf = async (as: Member, id: string) => {
    const { title, introduction } = await see(as, id)
    return { title, introduction }
  }

  test('the age limit: they are shown to adults who have chosen to see such posts', async () => {
    expect(await openOf(fan, aged)).toEqual({ title: undefined, introduction: undefined })
    expect(await found(fan, '壁紙')).not.toContain(aged)
    const chooser = await signUp(world)
    await changePrivacy(world.deps.db, chooser.id, { showsAgeLimited: true }, world.clock.now)
    expect(await openOf(chooser, aged)).toEqual({ title: TITLE, introduction: INTRODUCTION })
    expect(await found(chooser, '壁紙')).toContain(aged)
  })

  test('blocks, and the release', async () => {
    const blocked = await signUp(world)
    await addBlock(world.deps.db, author.id, blocked.id, world.clock.now)
    expect(errorOf(await call(world, blocked, 'GET', `/posts/${priced}`)).code).toBe('not_found')
    expect(await found(blocked, '壁紙')).toEqual([])
    const added = await addPost(world, author, [
      ['content', SECRET],
      ['title', 'まだ見せない'],
      ['type', '3'],
      ['price', '500'],
    ])
    expect(added.statusCode).toBe(200)
    expect(await found(fan, 'まだ見せない')).toEqual([])
  })

  test('the words of the operator: a post with one in its title waits for a review', async () => {
    await world.database.executeSql(
      `insert into blocked_words (id, owner_id, word, folded, created_at)
       values (gen_random_uuid(), null, '禁句', '禁句', now())`,
    )
    const post = await forSale()
    await change(author, post, { introduction: 'ここに禁句' })
    expect(errorOf(await call(world, fan, 'GET', `/posts/${post}`)).code).toBe('not_found')
    expect(await see(author, post)).toMatchObject({ held: { reason: 'word', word: '禁句' } })
    const titled = await releasedPost(world, author, [
      ['content', SECRET],
      ['title', '禁句'],
      ['type', '1'],
    ])
    expect(await see(author, titled)).toMatchObject({ held: { word: '禁句' } })
    await world.database.executeSql('delete from blocked_words')
  })
})

test('a change of them sets edited_at and nothing else, and an equal one nothing', async () => {
  const post = await forSale()
  expect((await change(author, post, { title: TITLE })).json()).toMatchObject({ edited_at: null })
  world.clock.now += 60_000
  expect((await change(author, post, { title: '', introduction: '短い' })).json()).toMatchObject({
    edited_at: new Date(world.clock.now).toISOString(),
    introduction: '短い',
    access: { content: SECRET },
  })
  expect((await see(fan, post)).title).toBeUndefined()
})

test.each([
  ['title', '長'.repeat(MAX_POST_TITLE + 1), 'too_long'],
  ['title', '一行\n二行', 'control_characters'],
  ['title', '\u200b', 'invisible'],
  ['introduction', '長'.repeat(MAX_INTRODUCTION + 1), 'too_long'],
])('a %s outside its limits is refused with its field', async (field, value, code) => {
  const fields = [
    ['content', SECRET],
    ['type', '1'],
    [field, value],
  ] as const
  for (const reply of [
    await addPost(world, author, fields),
    await change(author, priced, { [field]: value }),
  ])
    expect(errorOf(reply)).toEqual({ code: 'invalid', fields: { [field]: code } })
  const most = '長'.repeat(field === 'title' ? MAX_POST_TITLE : MAX_INTRODUCTION)
  expect((await change(author, await forSale(), { [field]: most })).statusCode).toBe(200)
})

test('history, receipt and emails name a bought post by its title', async () => {
  const post = await forSale()
  const buyer = await signUp(world)
  const payment = await buy(world, buyer, post)
  expect(await purchasesOf(world, buyer)).toMatchObject([{ id: payment, title: TITLE }])
  expect(await receiptOf(world, buyer, payment)).toMatchObject({ title: TITLE })
  expect(await emailsTo(world, buyer.email)).toMatchObject([{ is: 'purchase', title: TITLE }])
  expect(await read(buyer, '/payments')).not.toContain(SECRET)
})

test('a report quotes them, and a deleted post has neither', async () => {
  const post = await forSale()
  expect((await call(world, fan, 'PUT', `/reports/post/${post}`, { reason: 'other' })).statusCode).toBe(200)
  const { rows } = await world.database.executeSql('select quoted from reports where target_id = $1', [post])
  expect(rows).toMatchObject([{ quoted: { title: TITLE, introduction: INTRODUCTION, content: SECRET } }])
  await world.database.executeSql('delete from reports')
  await call(world, author, 'DELETE', `/posts/${post}`)
  world.clock.now += DELETED_LIFE + 1
  await emptyDeletedPosts(world.deps)
  const left = await world.database.executeSql(
    'select title, introduction, content from posts where id = $1',
    [post],
  )
  expect(left.rows).toEqual([{ title: '', introduction: '', content: '' }])
})
