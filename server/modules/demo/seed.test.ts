// The first start: people, plans and posts with pictures and a video, made once.
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostView } from '#contract/posts/posts.ts'
import { call, type Member } from '#server/testing/people/members.ts'
import { openWorld, type World, storedAt } from '#server/testing/world.ts'
import { demoAccounts } from './people.ts'
import { demoPosts } from './posts.ts'
import { seedDemo } from './seed.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  expect(await seedDemo(world.deps)).toBe(true)
})
afterAll(() => world.close())

/** Reads all posts, page by page. */
async function posts(as: Member | null): Promise<PostView[]> {
  const seen: PostView[] = []
  for (let next: string | null = ''; next !== null;) {
    const reply = await call(world, as, 'GET', next === '' ? '/posts' : `/posts?cursor=${next}`)
    const page = reply.json<{ posts: PostView[]; next: string | null }>()
    seen.push(...page.posts)
    next = page.next
  }
  return seen
}

async function signIn(email: string): Promise<Member> {
  const reply = await call(world, null, 'POST', '/auth/sign-in', { email, password: demoAccounts.password })
  const { token, user } = reply.json<{ token: string; user: { id: string } }>()
  return { id: user.id, email, token, auth: { authorization: `Bearer ${token}` } }
}

test('a database with accounts is not changed', async () => {
  expect(await seedDemo(world.deps)).toBe(false)
  expect(await posts(await signIn(demoAccounts.creator))).toHaveLength(demoPosts.length)
})

test('the fan sees posts of every kind, newest first', async () => {
  const seen = await posts(await signIn(demoAccounts.fan))
  const releaseTimes = seen.map((it) => it.released_at ?? '')
  expect(releaseTimes).toEqual(releaseTimes.toSorted().toReversed())
  const wanted = seen.flatMap(({ access }) => (access.is === 'preview' ? [access.wants] : []))
  expect(new Set(wanted)).toEqual(new Set(['plan', 'purchase']))
})

test('the demo creator has followers and follows no one', async () => {
  const creator = await signIn(demoAccounts.creator)
  const profile = (await call(world, creator, 'GET', `/users/${creator.id}`)).json()
  expect(profile).toMatchObject({ handle: 'shiomi_haru', follower_count: 4, following_count: 0 })
})

test('the fan is a member of one of the two plans', async () => {
  const creator = await signIn(demoAccounts.creator)
  const plans = (await call(world, creator, 'GET', '/plans/own')).json<{
    plans: { name: string; price: number }[]
  }>().plans
  expect(plans.map((it) => it.price)).toEqual([500, 1500])
  const planPosts = (await posts(await signIn(demoAccounts.fan))).filter((it) => it.type === 2)
  expect(planPosts.map((it) => it.access.is)).toEqual(['full', 'preview'])
  expect(
    (await posts(creator)).filter((it) => it.author.id === creator.id).every((it) => it.access.is === 'full'),
  ).toBe(true)
})

test('the newest post has likes and comments', async () => {
  const [newest] = await posts(await signIn(demoAccounts.fan))
  expect(newest).toMatchObject({ counts: { likes: 4, comments: 3 }, liked: true })
})

test('pictures are stored as JPEG and the one video as MP4', async () => {
  const seen = await posts(await signIn(demoAccounts.creator))
  const media = seen.flatMap(({ access }) => (access.is === 'full' ? access.media : []))
  expect(media.filter((it) => it.kind === 'video')).toHaveLength(1)
  expect(media.length).toBeGreaterThan(12)
  for (const { id, kind } of media) {
    const bytes = await readFile(storedAt(world, 'uploads', id))
    if (kind === 'image') expect((await sharp(bytes).metadata()).format).toBe('jpeg')
    else expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
  }
})
