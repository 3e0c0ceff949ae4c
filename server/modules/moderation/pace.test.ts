// Limits of new accounts, of sudden follows and of equal comments, and links of strangers.
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { deskIn } from '#server/testing/moderation/desk.ts'
import { addPost, call, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { noHelp, openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

let world: World
afterEach(() => world.close())
const open = async (help: Partial<typeof noHelp>) => {
  world = await openWorld({ settings: { help: { ...noHelp, ...help } } })
}
const desk = deskIn(() => world)
const follow = (by: Member, to: Member) => call(world, by, 'PUT', `/follows/${to.id}`)
const comment = (by: Member, post: string, content: string, id = newId()) =>
  call(world, by, 'POST', `/posts/${post}/comments`, { id, content, parent_id: null, answers_id: null })
const people = async (count: number) => {
  const all: Member[] = []
  for (let n = 0; n < count; n++) all.push(await signUp(world))
  return all
}
const repeated = async (times: number, act: (n: number) => Promise<Reply>) => {
  const all = []
  for (let n = 0; n < times; n++) all.push(outcomeOf(await act(n)))
  return all
}
const ofNew = noHelp.ofNew

test('a new account comments so often in an hour and in a day, an older one freely', async () => {
  await open({ ofNew: { ...ofNew, comments: { hour: 2, day: 3 } } })
  const [author, me] = (await people(2)) as [Member, Member]
  const post = await desk.publish(author, '今日')
  expect(await repeated(3, (n) => comment(me, post, `${n}`))).toEqual([200, 200, 'hour_limit'])
  const refused = await comment(me, post, 'a')
  expect(refused.statusCode).toBe(403)
  expect(Number(refused.headers['retry-after'])).toBe(HOUR / 1000)
  world.clock.now += HOUR
  expect(await repeated(2, (n) => comment(me, post, `b${n}`))).toEqual([200, 'day_limit'])
  world.clock.now += DAY
  expect(outcomeOf(await comment(me, post, 'c'))).toBe(200)
  world.clock.now += 7 * DAY
  expect(await repeated(5, (n) => comment(me, post, `d${n}`))).toEqual([200, 200, 200, 200, 200])
})

test('a comment that is sent again is not counted', async () => {
  await open({ ofNew: { ...ofNew, comments: { hour: 2, day: 0 } } })
  const [author, me] = (await people(2)) as [Member, Member]
  const post = await desk.publish(author, '今日')
  const id = newId()
  expect(await repeated(4, () => comment(me, post, '同じ', id))).toEqual([200, 200, 200, 200])
  expect(outcomeOf(await comment(me, post, 'つぎ'))).toBe(200)
})

test('a new account adds so many posts, and one that is sent again is not counted', async () => {
  await open({ ofNew: { ...ofNew, posts: { hour: 2, day: 0 } } })
  const me = await signUp(world)
  const key = newId()
  const add = (its: string) =>
    addPost(
      world,
      me,
      [
        ['content', '今日'],
        ['type', '1'],
      ],
      its,
    )
  expect(await repeated(3, () => add(key))).toEqual([200, 200, 200])
  expect(await repeated(2, () => add(newId()))).toEqual([200, 'hour_limit'])
  world.clock.now += HOUR
  expect(outcomeOf(await add(newId()))).toBe(200)
})

test('follows are limited by the hour, less for a new account, and one that exists is not counted', async () => {
  await open({ follows: { hour: 3, day: 0 }, ofNew: { ...ofNew, follows: { hour: 2, day: 0 } } })
  const [old, ...others] = (await people(5)) as [Member, ...Member[]]
  world.clock.now += 8 * DAY
  const me = await signUp(world)
  const to = (n: number) => others[n] as Member
  expect(await repeated(3, () => follow(me, to(0)))).toEqual([200, 200, 200])
  expect(await repeated(2, (n) => follow(me, to(n + 1)))).toEqual([200, 'hour_limit'])
  expect(await repeated(4, (n) => follow(old, to(n)))).toEqual([200, 200, 200, 'follow_limit'])
  world.clock.now += HOUR
  expect(outcomeOf(await follow(old, to(3)))).toBe(200)
})

test('an equal comment is written below posts of so many people, however it is spelled, for a day', async () => {
  await open({ equalComments: 2 })
  const [me, ...authors] = (await people(4)) as [Member, ...Member[]]
  const posts: string[] = []
  for (const it of authors) posts.push(await desk.publish(it, '今日'))
  const [one, two, three] = posts as [string, string, string]
  const text = 'ぜひ私のページも見てくださいね 100円'
  expect(outcomeOf(await comment(me, one, text))).toBe(200)
  expect(outcomeOf(await comment(me, two, 'ゼヒ私のページも、見てくださいね！２００円'))).toBe(200)
  expect(outcomeOf(await comment(me, three, text))).toBe('text_limit')
  // Below posts of the same people, own posts, with other and with short texts it is written.
  expect(outcomeOf(await comment(me, one, text))).toBe(200)
  expect(outcomeOf(await comment(me, await desk.publish(me, '今日'), text))).toBe(200)
  expect(outcomeOf(await comment(me, three, 'まったく別のことを書いたコメントです'))).toBe(200)
  expect(await repeated(3, (n) => comment(me, defined(posts[n]), 'すてき！'))).toEqual([200, 200, 200])
  world.clock.now += DAY + 1
  expect(outcomeOf(await comment(me, three, text))).toBe(200)
})

test('a link of a new account waits for the review of an author who does not follow it', async () => {
  await open({ holdsLinks: true })
  const [author, friend, stranger] = (await people(3)) as [Member, Member, Member]
  await follow(author, friend)
  const post = await desk.publish(author, '今日')
  const held = async (by: Member, text: string) =>
    (await comment(by, post, text)).json().body.held === 'creator'
  expect(await held(stranger, '見て https://spam.example/')).toBe(true)
  expect(await held(stranger, 'リンクはありません')).toBe(false)
  expect(await held(friend, '見て https://spam.example/')).toBe(false)
  expect(await held(author, '見て https://spam.example/')).toBe(false)
  world.clock.now += 8 * DAY
  expect(await held(stranger, '見て https://spam.example/2')).toBe(false)
  const { comments } = (await call(world, author, 'GET', '/holds/comments')).json()
  expect(comments).toMatchObject([{ reason: 'link', word: '', content: '見て https://spam.example/' }])
})

test('without limits nothing is counted', async () => {
  await open({})
  const [author, me] = (await people(2)) as [Member, Member]
  const post = await desk.publish(author, '今日')
  const text = 'ぜひ私のページも見てくださいね 100円'
  expect(await repeated(8, () => comment(me, post, text))).toEqual(Array(8).fill(200))
})
