// Uploads of messages: taken once, and refused without a change.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { chatIn, outcomeOf } from '#server/testing/messages/chat.ts'
import { sentMediaIn } from '#server/testing/messages/media.ts'
import { beginUpload, removeUploadOf } from '#server/testing/media/uploads.ts'
import { uploadDocument } from '#server/testing/people/identity.ts'
import {
  addPost,
  errorOf,
  type Member,
  noise,
  type Reply,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

let world: World
let me: Member
let other: Member
const chat = chatIn(() => world)
const sent = sentMediaIn(() => world)

const tables = ['conversations', 'messages', 'message_media', 'media', 'uploads', 'pgboss.job']
async function stored(): Promise<unknown> {
  const { rows } = await world.database.executeSql(
    `select ${tables.map((it) => `(select count(*)::int from ${it}) as "${it}"`).join(', ')},
       (select coalesce(sum(last_seq + last_change), 0)::int from conversations) as numbers`,
  )
  return rows[0]
}

/** Sends a message that must be refused, and expects no change. @returns status and error */
async function refusal(media: readonly string[], content = '写真'): Promise<[number, object]> {
  const before = await stored()
  const reply = await chat.send(me, other, { content, media })
  expect(await stored()).toEqual(before)
  return [reply.statusCode, errorOf(reply)]
}

const refusedField = (code: string) => [422, { code: 'invalid', fields: { media: code } }]
const countOf = (replies: readonly Reply[]) => replies.map(outcomeOf).toSorted()
const postWith = (as: Member, ids: readonly string[]) => {
  const images = ids.map((id) => ['has_image_file[]', id] as const)
  return addPost(world, as, [['content', '投稿'], ['type', '1'], ...images])
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('uploads', () => {
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      ;[me, other] = [await signUp(world), await signUp(world)]
      await chat.follow(other, me)
    })

    test('digests of the picked files are compared, and a message with them is sent again without a comparison', async () => {
      const media = await sent.pictures(me, 2)
      const [one = '', two = ''] = media
      const digest = async (id: string) => world.deps.storage.objects.digestOf(`uploads/${id}`)
      const [first, second] = [await digest(one), await digest(two)]
      const other43 = `${'A'.repeat(43)}=`
      const send = (digests: readonly string[], id = newId()) =>
        chat.send(me, other, { id, content: '写真', media, digests })
      const before = await stored()
      const wrong = await send([first, other43])
      expect([wrong.statusCode, errorOf(wrong)]).toEqual([
        422,
        { code: 'digest_mismatch', fields: { [two]: 'malformed' } },
      ])
      for (const digests of [[first], [first, second, second], ['x', 'y']]) {
        const reply = await send(digests)
        expect([reply.statusCode, errorOf(reply).code]).toEqual([422, 'invalid'])
      }
      expect(await stored()).toEqual(before)
      const id = newId()
      expect(outcomeOf(await send([first, second], id))).toBe(200)
      expect(outcomeOf(await send([other43, other43], id))).toBe(200)
    })

    test('a message sent again with its media is one message, and another list of media is a conflict', async () => {
      const [id, [one = '', two = '']] = [newId(), await sent.pictures(me, 2)]
      const first = await chat.send(me, other, { id, media: [one, two] })
      const before = await stored()
      expect((await chat.send(me, other, { id, media: [one, two] })).json()).toEqual(first.json())
      for (const media of [[two, one], [one], []])
        expect(outcomeOf(await chat.send(me, other, { id, media }))).toBe('conflict')
      expect(await stored()).toEqual(before)
      await chat.unsend(me, id)
      expect(outcomeOf(await chat.send(me, other, { id, media: [one, two] }))).toBe(200)
    })

    test('an upload of a message is a conflict for a second one and for a post, and stays in the first', async () => {
      const [one = '', two = ''] = await sent.pictures(me, 2)
      await chat.write(me, other, '', { media: [one] })
      expect(await refusal([two, one])).toEqual([
        409,
        { code: 'conflict', fields: { [one]: 'unknown_upload' } },
      ])
      expect(outcomeOf(await postWith(me, [one]))).toBe('conflict')
      const { messages } = await chat.messagesOf(other, me)
      expect(messages.map((it) => it.body)).toMatchObject([{ media: [{ id: one }] }])
      // The upload that the refused message named with it was not taken.
      expect(outcomeOf(await chat.send(me, other, { media: [two] }))).toBe(200)
    })

    test('an upload of a post is a conflict for a message', async () => {
      const id = await sent.picture(me)
      expect(outcomeOf(await postWith(me, [id]))).toBe(200)
      expect((await refusal([id]))[1]).toMatchObject({ code: 'conflict' })
    })

    test('uploads of others, documents, unknown ids and one id twice are invalid', async () => {
      const own = await sent.picture(me)
      for (const id of [await sent.picture(other), await uploadDocument(world, me, await jpeg()), newId()])
        expect(await refusal([own, id])).toEqual(refusedField('unknown_upload'))
      expect(await refusal([own, own])).toEqual(refusedField('malformed'))
      expect(outcomeOf(await chat.send(me, other, { media: [own] }))).toBe(200)
    })

    test('an unfinished upload is upload_incomplete, until it is finished', async () => {
      const [whole, begun] = [await sent.picture(me), await beginUpload(world, me)]
      expect(await refusal([whole, begun])).toEqual([
        409,
        { code: 'upload_incomplete', fields: { [begun]: 'too_small' } },
      ])
      expect(outcomeOf(await chat.send(me, other, { media: [whole] }))).toBe(200)
    })

    test.each([
      ['noise', noise(5000), 'a.jpg'],
      ['HTML', Buffer.from('<!doctype html><script>1</script>'), 'a.png'],
      ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj'), 'a.mp4'],
      ['an empty file', Buffer.alloc(0), 'a.jpg'],
    ])('%s is unsupported_media, whatever its name', async (_, bytes, name) => {
      const id = await upload(world, me, bytes, name)
      expect(await refusal([id])).toEqual([
        415,
        { code: 'unsupported_media', fields: { media: 'unsupported' } },
      ])
    })

    test('a message has at most ten images and one video, decided by their bytes', async () => {
      const pictures = await sent.pictures(me, 11)
      const disguised = await upload(world, me, fixture('h264.mp4'), 'b.jpg')
      const videos = [await sent.video(me), disguised]
      expect(await refusal(pictures)).toEqual(refusedField('too_long'))
      expect(await refusal(videos)).toEqual(refusedField('too_long'))
      expect(await refusal([...pictures, ...videos])).toEqual(refusedField('too_long'))
      const media = [...pictures.slice(0, 4), videos[0] ?? '', ...pictures.slice(4, 10)]
      const { body } = await chat.write(me, other, '', { media })
      expect(body).toMatchObject({ content: '', media: media.map((id) => ({ id, state: 'processing' })) })
    })

    test('a message needs a text or media', async () => {
      expect(await refusal([], ' ')).toEqual([422, { code: 'invalid', fields: { content: 'required' } }])
    })

    test('a person who may not write takes nothing', async () => {
      const id = await sent.picture(me)
      await chat.setPrivacy(other, { message_from: 'nobody' })
      expect(await refusal([id])).toEqual([403, { code: 'forbidden' }])
      await chat.setPrivacy(other, { message_from: 'everyone' })
      expect(outcomeOf(await chat.send(me, other, { media: [id] }))).toBe(200)
    })

    test('of messages with one upload at once, exactly one is sent', async () => {
      const [third, media] = [await signUp(world), await sent.pictures(me, 2)]
      await chat.follow(third, me)
      const tries = Array.from({ length: 8 }, (_, n) =>
        chat.send(me, n % 2 === 0 ? other : third, { media: n % 4 < 2 ? media : media.toReversed() }),
      )
      expect(countOf(await Promise.all(tries))).toEqual([200, ...Array(7).fill('conflict')])
      const all = [
        ...(await chat.messagesOf(other, me)).messages,
        ...(await chat.messagesOf(third, me)).messages,
      ]
      expect(all.map((it) => it.body.is === 'text' && it.body.media.length)).toEqual([2])
    })

    test('one message that is sent several times at once has one reply', async () => {
      const [id, media] = [newId(), await sent.pictures(me, 2)]
      const replies = await Promise.all(Array.from({ length: 8 }, () => chat.send(me, other, { id, media })))
      expect(new Set(replies.map((it) => it.body)).size).toBe(1)
      expect(countOf(replies)[0]).toBe(200)
      expect((await chat.messagesOf(other, me)).messages).toHaveLength(1)
    })

    test('of a message and a post with one upload at once, exactly one is accepted', async () => {
      for (let n = 0; n < 4; n++) {
        const id = await sent.picture(me)
        const replies = await Promise.all([chat.send(me, other, { media: [id] }), postWith(me, [id])])
        expect(countOf(replies)).toEqual([200, 'conflict'])
      }
    })

    test('an upload that is terminated at once is sent whole, or not at all', async () => {
      for (let n = 0; n < 4; n++) {
        const id = await sent.picture(me)
        const [reply, removal] = await Promise.all([
          chat.send(me, other, { media: [id] }),
          removeUploadOf(world, me, id),
        ])
        const exists = (await world.deps.storage.objects.sizeOf(`uploads/${id}`)) !== undefined
        expect([reply.statusCode === 200, exists]).toEqual([
          removal.statusCode === 423,
          removal.statusCode === 423,
        ])
      }
    })
  })
})
