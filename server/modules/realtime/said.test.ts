// Live events of readers and owners: after the commit, only with numbers and ids, and not to the page that caused them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personChannel, postChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { recordingRealtime } from '#server/testing/recording-realtime.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { publish } from '#server/testing/published.ts'
import { openStudio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const realtime = recordingRealtime()
let world: World
let author: Member
let fan: Member
let post: string
beforeAll(async () => {
  world = await openWorld({ worker: true, parts: { realtime } })
  author = await signUp(world)
  fan = await signUp(world)
})
beforeEach(async () => {
  post = await publish(world, author)
  realtime.said.length = 0
})
afterAll(() => world.close())

/** What was said on the post's channel. */
const saidOfPost = () => realtime.said.filter((it) => it.channel === postChannel(post))

test('a like and its taking back are said with the count, and which page knows already', async () => {
  await call(world, fan, 'PUT', `/posts/${post}/like`, undefined, { 'x-socket-id': '12.34' })
  await call(world, fan, 'DELETE', `/posts/${post}/like`, undefined, { 'x-socket-id': 'anything' })
  const told = { channel: postChannel(post), event: 'likes.changed' }
  expect(saidOfPost()).toEqual([
    { ...told, data: { post_id: post, likes: 1 }, except: '12.34' },
    { ...told, data: { post_id: post, likes: 0 }, except: undefined },
  ])
})

test('a comment is said when it is written, liked and deleted, without a word of it', async () => {
  const id = newId()
  await call(world, fan, 'POST', `/posts/${post}/comments`, {
    id,
    content: 'ひみつ',
    parent_id: null,
    answers_id: null,
  })
  await call(world, author, 'PUT', `/comments/${id}/like`)
  await call(world, fan, 'DELETE', `/comments/${id}`)
  const told = (comments: number) => ({
    channel: postChannel(post),
    event: 'comments.changed',
    data: { post_id: post, comment_id: id, comments },
    except: undefined,
  })
  expect(saidOfPost()).toEqual([told(1), told(1), told(0)])
  expect(JSON.stringify(realtime.said)).not.toContain('ひみつ')
})

test('what is refused is not said', async () => {
  const hidden = await publish(world, author, { type: 3, price: 500 })
  await call(world, fan, 'PUT', `/posts/${hidden}/like`)
  expect(realtime.said).toEqual([])
})

test('the owner of a picture is told when it is ready, and when nothing can be made of it', async () => {
  const studio = await openStudio(world)
  const [field, mediaId] = await studio.image(await jpeg(), 'a.jpg')
  const postId = await studio.post([['type', '1'], field])
  // A JPEG that ends behind its frame header: recognised, and without pixels.
  const whole = await jpeg()
  const cut = whole.subarray(0, whole.indexOf(Buffer.from([0xff, 0xc0])) + 12)
  const [broken, brokenId] = await studio.image(cut, 'b.jpg')
  const brokenPost = await studio.post([['type', '1'], broken])
  const told = (media: string, of: string, state: string) => ({
    channel: personChannel(studio.creator.id),
    event: 'media.changed',
    data: { media_id: media, post_id: of, state },
  })
  await expect
    .poll(() => realtime.said.filter((it) => it.event === 'media.changed'), { timeout: 20_000 })
    .toHaveLength(2)
  expect(realtime.said).toContainEqual(told(mediaId, postId, 'ready'))
  expect(realtime.said).toContainEqual(told(brokenId, brokenPost, 'failed'))
})

test('a block and its taking back are said to both, and to neither of whom or by whom', async () => {
  const socket = { 'x-socket-id': '12.34' }
  await call(world, author, 'PUT', `/blocks/${fan.id}`, undefined, socket)
  await call(world, author, 'DELETE', `/blocks/${fan.id}`, undefined, socket)
  const told = { event: 'people.changed', data: {}, except: '12.34' }
  const both = [author, fan].map((it) => ({ channel: personChannel(it.id), ...told }))
  expect(realtime.said).toEqual([...both, ...both])
})

test('a mute is said to the muter’s other devices alone, and nothing that was refused is said', async () => {
  await call(world, author, 'PUT', `/mutes/${fan.id}`)
  await call(world, author, 'DELETE', `/mutes/${fan.id}`)
  const told = { channel: personChannel(author.id), event: 'people.changed', data: {}, except: undefined }
  expect(realtime.said).toEqual([told, told])
  realtime.said.length = 0
  await call(world, author, 'PUT', `/mutes/${author.id}`)
  await call(world, author, 'PUT', `/blocks/${newId()}`)
  expect(realtime.said).toEqual([])
})
