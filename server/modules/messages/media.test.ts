// Images and videos of messages: their states, changes and live messages, requests and removal.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { personChannel } from '#contract/realtime/channels.ts'
import type { MediaView } from '#contract/posts/media.ts'
import type { MessageView } from '#contract/messages/messages.ts'
import { expireUploads } from '#server/store/media/uploads.ts'
import { storedBytesOf } from '#server/store/media/usage.ts'
import { jobsDone } from '#server/testing/jobs.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { sentMediaIn } from '#server/testing/messages/media.ts'
import { isInstalled } from '#server/testing/programs.ts'
import { call, type Member, noise, signUp, upload } from '#server/testing/people/members.ts'
import { recordingRealtime } from '#server/testing/recording-realtime.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

let world: World
let me: Member
let other: Member
const realtime = recordingRealtime()
const chat = chatIn(() => world)
const sent = sentMediaIn(() => world)

const mediaOf = ({ body }: MessageView): readonly MediaView[] => (body.is === 'text' ? body.media : [])
const newest = async (as: Member, to: Member): Promise<MessageView | undefined> =>
  (await chat.messagesOf(as, to)).messages.at(-1)
const stateOf = async (as: Member, to: Member) => {
  const message = await newest(as, to)
  return message ? mediaOf(message).map((it) => it.state) : []
}
/** The media of the newest message once none of them is being processed. */
async function processed(as: Member, to: Member): Promise<readonly MediaView[]> {
  await jobsDone(world, 'media.picture')
  const isDone = async () => (await stateOf(as, to)).every((it) => it !== 'processing')
  await expect.poll(isDone).toBeTruthy()
  await jobsDone(world, 'message.media')
  const message = await newest(as, to)
  return message ? mediaOf(message) : []
}
const statusAt = async (url: string, as: Member) =>
  (await world.app.inject({ method: 'GET', url, headers: as.auth })).statusCode
const addressesIn = (media: readonly MediaView[]): string[] =>
  media
    .flatMap((it) => (it.kind === 'image' ? it.sources.map(({ src }) => src) : [it.src, it.poster]))
    .filter((it) => it !== null)
/** The changes of conversations of which a person's devices were told. */
const eventsOf = (person: Member): readonly number[] =>
  realtime.published.flatMap((it) =>
    it.channel === personChannel(person.id) && it.event === 'conversation.changed' ? [it.data.change] : [],
  )

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('media of messages', () => {
    beforeAll(async () => {
      world = await openWorld({ database: kind, worker: true, parts: { realtime } })
      return () => world.close()
    })
    beforeEach(async () => {
      ;[me, other] = [await signUp(world), await signUp(world)]
      await chat.follow(other, me)
      realtime.published.length = 0
    })

    test('both see an image and a video once they are made, in the order of the sender; ffmpeg draws its poster', async () => {
      const ids = [await sent.video(me), await sent.picture(me)]
      const { body, change } = await chat.write(me, other, '見てね', { media: ids })
      expect(body).toMatchObject({ content: '見てね', media: ids.map((id) => ({ id })), hidden_media: 0 })
      for (const [as, to] of [
        [me, other],
        [other, me],
      ] as const) {
        const media = await processed(as, to)
        expect(media.map((it) => [it.id, it.kind, it.state])).toEqual([
          [ids[0], 'video', 'ready'],
          [ids[1], 'image', 'ready'],
        ])
        expect(media[0]).toMatchObject({
          src: expect.any(String),
          poster: isInstalled('ffmpeg') ? expect.any(String) : null,
        })
        expect(addressesIn(media.slice(1))).not.toEqual([])
        for (const url of addressesIn(media)) expect([url, await statusAt(url, as)]).toEqual([url, 200])
        expect(media.map((it) => it.original_url !== undefined)).toEqual([as === me, as === me])
      }
      // Each of the two files is one change, which the devices of both are to read.
      const { messages } = await chat.changesOf(other, me, change)
      expect(messages.map((it) => [it.seq, it.change])).toEqual([[1, change + 2]])
      // Two jobs at once may publish theirs in either order.
      for (const person of [me, other])
        expect(eventsOf(person).toSorted((a, b) => a - b)).toEqual([change, change + 1, change + 2])
      // That event is about posts and profiles.
      expect(realtime.published.some((it) => it.event === 'media.changed')).toBe(false)
    })

    test('why a file failed is for its sender alone, who may retry it', async () => {
      const raw = { width: 200, height: 150, channels: 3 } as const
      const whole = await sharp(noise(90_000), { raw }).webp().toBuffer()
      const id = await upload(world, me, whole.subarray(0, 3000), 'a.webp')
      await chat.write(me, other, '', { media: [id] })
      expect(await processed(me, other)).toMatchObject([{ state: 'failed', failure: 'unreadable' }])
      const [seen] = await processed(other, me)
      expect([seen?.state, seen && 'failure' in seen]).toEqual(['failed', false])
      const retry = async (as: Member) => (await call(world, as, 'POST', `/media/${id}/retry`)).statusCode
      expect([await retry(other), await retry(me)]).toEqual([404, 200])
      await processed(me, other)
    })

    test('a request shows the number of files, and the files once it is accepted or answered', async () => {
      for (const answer of ['accept', 'write'] as const) {
        const stranger = await signUp(world)
        const [one, two] = await sent.pictures(stranger, 2)
        const media = [one ?? '', two ?? '']
        await chat.write(stranger, me, 'はじめまして', { media })
        await chat.write(stranger, me, 'もう一つ')
        await processed(stranger, me)
        const [first] = (await chat.messagesOf(me, stranger)).messages
        expect(first?.body).toMatchObject({ content: 'はじめまして', media: [], hidden_media: 2 })
        const { last_change: last } = await chat.stateOf(me, stranger)
        await (answer === 'accept' ? chat.answer(me, stranger, 'accept') : chat.write(me, stranger))
        const { messages } = await chat.changesOf(me, stranger, last)
        const shown = messages.find((it) => it.seq === 1)
        expect(shown?.body).toMatchObject({ media: media.map((id) => ({ id })), hidden_media: 0 })
        expect(messages.some((it) => it.seq === 2)).toBe(false)
        expect(new Set(messages.map((it) => it.change)).size).toBe(messages.length)
      }
    })

    test('the person who declined gets no live message when a file of the request is made', async () => {
      const stranger = await signUp(world)
      await chat.write(stranger, me)
      await chat.answer(me, stranger, 'decline')
      realtime.published.length = 0
      await chat.write(stranger, me, '', { media: [await sent.picture(stranger)] })
      await processed(stranger, me)
      expect([eventsOf(me).length, eventsOf(stranger).length]).toEqual([0, 2])
    })

    test('a reply has the number of files of its message, and none of an unsent one', async () => {
      const { id } = await chat.write(me, other, '', { media: await sent.pictures(me, 2) })
      const reply = await chat.write(other, me, 'すてき', { reply_to: id })
      expect(reply.body).toMatchObject({ reply_to: { id, excerpt: '', media_count: 2 } })
      await chat.unsend(me, id)
      expect((await newest(me, other))?.body).toMatchObject({ reply_to: { excerpt: null, media_count: 0 } })
    })

    test('unsending removes the files, and they no longer count as stored', async () => {
      const { storage, db } = world.deps
      const { objects } = storage
      const id = await sent.picture(me)
      const { id: messageId } = await chat.write(me, other, '', { media: [id] })
      const [view] = await processed(other, me)
      expect(await storedBytesOf(db, me.id)).toBeGreaterThan(0)
      await chat.unsend(me, messageId)
      for (const url of addressesIn(view ? [view] : [])) expect(await statusAt(url, other)).toBe(404)
      await jobsDone(world, 'media.remove')
      expect([await objects.sizeOf(`uploads/${id}`), await storedBytesOf(db, me.id)]).toEqual([undefined, 0])
      expect(await objects.sizeOf(`media/${id}/w240.webp`)).toBeUndefined()
    })

    test('uploads of a message do not expire', async () => {
      const [held = '', unheld = ''] = await sent.pictures(me, 2)
      await chat.write(me, other, '', { media: [held] })
      const later = world.clock.now + 30 * DAY
      expect((await expireUploads(world.deps.db, later, later)).map((it) => it.id)).toContain(unheld)
      expect(await newest(other, me)).toMatchObject({ body: { media: [{ id: held }] } })
      const { rows } = await world.database.executeSql('select expired_at from uploads where id = $1', [held])
      expect(rows).toEqual([{ expired_at: null }])
    })
  })
})
