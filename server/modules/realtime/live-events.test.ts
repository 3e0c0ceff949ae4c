// Live events: their recipients, and content of only ids and counts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personChannel, postChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { recordingRealtime } from '#server/testing/recording-realtime.ts'
import { jobsDone } from '#server/testing/jobs.ts'
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
  realtime.published.length = 0
})
afterAll(() => world.close())

/** Messages on the post's channel. */
const messagesOfPost = () => realtime.published.filter((it) => it.channel === postChannel(post))

test('a like and an unlike send the counts and their version, except to the page that caused them', async () => {
  await call(world, fan, 'PUT', `/posts/${post}/like`, undefined, { 'x-socket-id': '12.34' })
  await call(world, fan, 'DELETE', `/posts/${post}/like`, undefined, { 'x-socket-id': 'anything' })
  const message = { channel: postChannel(post), event: 'likes.changed' }
  expect(messagesOfPost()).toEqual([
    { ...message, data: { post_id: post, likes: 1, comments: 0, version: 1 }, except: '12.34' },
    { ...message, data: { post_id: post, likes: 0, comments: 0, version: 2 }, except: undefined },
  ])
})

test('a comment that is added, liked or deleted sends an event without its text', async () => {
  const id = newId()
  await call(world, fan, 'POST', `/posts/${post}/comments`, {
    id,
    content: 'ひみつ',
    parent_id: null,
    answers_id: null,
  })
  await call(world, author, 'PUT', `/comments/${id}/like`)
  await call(world, fan, 'DELETE', `/comments/${id}`)
  const message = (comments: number, version: number) => ({
    channel: postChannel(post),
    event: 'comments.changed',
    data: { post_id: post, comment_id: id, likes: 0, comments, version },
    except: undefined,
  })
  expect(messagesOfPost()).toEqual([message(1, 1), message(1, 1), message(0, 2)])
  expect(JSON.stringify(realtime.published)).not.toContain('ひみつ')
})

test('a refused request sends no event', async () => {
  const hidden = await publish(world, author, { type: 3, price: 500 })
  await call(world, fan, 'PUT', `/posts/${hidden}/like`)
  expect(realtime.published).toEqual([])
})

test('the owner of a picture gets an event when it is ready or its processing has failed', async () => {
  const studio = await openStudio(world)
  const [field, mediaId] = await studio.image(await jpeg(), 'a.jpg')
  const postId = await studio.post([['type', '1'], field])
  // A JPEG that ends behind its frame header: recognised, and without pixels.
  const whole = await jpeg()
  const cut = whole.subarray(0, whole.indexOf(Buffer.from([0xff, 0xc0])) + 12)
  const [broken, brokenId] = await studio.image(cut, 'b.jpg')
  const brokenPost = await studio.post([['type', '1'], broken])
  const message = (media: string, of: string, state: string) => ({
    channel: personChannel(studio.creator.id),
    event: 'media.changed',
    data: { media_id: media, post_id: of, state },
  })
  await expect.poll(() => realtime.published).toContainEqual(message(mediaId, postId, 'ready'))
  await expect.poll(() => realtime.published).toContainEqual(message(brokenId, brokenPost, 'failed'))
  // The release converts media again that had failed before it, which sends another event.
  await jobsDone(world, 'media.picture')
})

test('a block and an unblock send both members an event that names neither', async () => {
  const socket = { 'x-socket-id': '12.34' }
  await call(world, author, 'PUT', `/blocks/${fan.id}`, undefined, socket)
  await call(world, author, 'DELETE', `/blocks/${fan.id}`, undefined, socket)
  const message = { event: 'people.changed', data: {}, except: '12.34' }
  const both = [author, fan].map((it) => ({ channel: personChannel(it.id), ...message }))
  expect(realtime.published).toEqual([...both, ...both])
})

test('a mute and an unmute send an event to the muter only, and a refused request sends none', async () => {
  await call(world, author, 'PUT', `/mutes/${fan.id}`)
  await call(world, author, 'DELETE', `/mutes/${fan.id}`)
  const message = { channel: personChannel(author.id), event: 'people.changed', data: {}, except: undefined }
  expect(realtime.published).toEqual([message, message])
  realtime.published.length = 0
  await call(world, author, 'PUT', `/mutes/${author.id}`)
  await call(world, author, 'PUT', `/blocks/${newId()}`)
  expect(realtime.published).toEqual([])
})
