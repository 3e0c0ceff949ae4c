// Every field refuses texts of a megabyte and one character of 800 kB.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { TUS_PATH } from '#contract/paths.ts'
import {
  addPost,
  call,
  errorOf,
  type Member,
  postIdOf,
  type Reply,
  signUp,
  tus,
} from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

/** One grapheme cluster of 800,001 bytes. */
const CLUSTER = `a${'\u0301'.repeat(400_000)}`
const MEGABYTE = 'x'.repeat(1_000_000)
const NINE_MARKS = `か${'\u0301'.repeat(9)}`
const missing = (): Promise<Reply> => {
  throw new Error('the table has no such field')
}
const EIGHT_MARKS = `か${'\u0301'.repeat(8)}`

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('text fields', () => {
    let world: World
    let me: Member
    let other: Member
    let post: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      me = await signUp(world)
      other = await signUp(world)
      post = await published(me)
      await world.database.executeSql('update sessions set validated_at = now() where user_id = $1', [me.id])
      await world.database.executeSql(
        `insert into passkeys (id, user_id, public_key, counter, transports, backed_up, name, created_at)
         values ('key-of-tests', $1, 'x', 0, '[]', false, '鍵', now())`,
        [me.id],
      )
    })
    afterAll(() => world.close())

    const add = (by: Member, content: string, more: [string, string][] = []) =>
      addPost(world, by, [['content', content], ['type', '1'], ...more], newId())

    async function published(by: Member): Promise<string> {
      const id = postIdOf(await add(by, 'こんにちは'))
      await call(world, by, 'POST', `/post/release-uploaded/${id}`)
      return id
    }

    const profile = { name: '汐見はる', handle: '', bio: '', links: [] as string[] }
    const info = { name: '汐見はる', legal_name: '', legal_name_kana: '', birth_date: '1990-04-01' }
    const registration = {
      email: 'hanako@example.com',
      password: 'todoke-1234',
      name: '花子',
      birth_date: '1990-01-01',
      terms: true,
    }
    const subscription = {
      endpoint: 'https://push.example/1',
      keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
    }

    /** Fields whose texts are stored, and how to send a text in each. */
    const textFields: Record<string, (text: string) => Promise<Reply>> = {
      'post.content': (text) => add(me, text),
      'changed post.content': (text) => call(world, me, 'PATCH', `/posts/${post}`, { content: text }),
      'comment.content': (text) =>
        call(world, other, 'POST', `/posts/${post}/comments`, { id: newId(), content: text }),
      'message.content': (text) =>
        call(world, other, 'POST', `/conversations/${me.id}/messages`, { id: newId(), content: text }),
      'registration.name': (text) =>
        call(world, null, 'POST', '/auth/sign-up', { ...registration, name: text }),
      'profile.name': (text) => call(world, me, 'PUT', '/profile', { ...profile, name: text }),
      'profile.bio': (text) => call(world, me, 'PUT', '/profile', { ...profile, bio: text }),
      'info.name': (text) => call(world, me, 'PUT', '/auth/info', { ...info, name: text }),
      'info.legal_name': (text) => call(world, me, 'PUT', '/auth/info', { ...info, legal_name: text }),
      'report.detail': (text) =>
        call(world, other, 'PUT', `/reports/post/${post}`, { reason: 'other', detail: text }),
      'deletion.note': (text) => call(world, me, 'POST', '/user/deletion', { reason: 'other', note: text }),
      'passkey.name': (text) => call(world, me, 'PUT', '/auth/passkeys/key-of-tests', { name: text }),
    }
    const names = Object.keys(textFields)
    const fieldOf = (name: string) => name.split('.')[1] ?? ''

    test.each(names)('%s refuses a megabyte, and one character of 800 kB, at its field', async (name) => {
      const send = textFields[name] ?? missing
      expect(errorOf(await send(MEGABYTE))).toEqual({
        code: 'invalid',
        fields: { [fieldOf(name)]: 'too_long' },
      })
      expect(errorOf(await send(CLUSTER))).toEqual({
        code: 'invalid',
        // The limit of multipart fields applies before the text is counted.
        fields: { [fieldOf(name)]: name === 'post.content' ? 'too_long' : 'too_many_bytes' },
      })
    })

    test.each(names)('%s refuses nine combining marks in a row and accepts eight', async (name) => {
      const send = textFields[name] ?? missing
      expect(errorOf(await send(NINE_MARKS))).toEqual({
        code: 'invalid',
        fields: { [fieldOf(name)]: 'too_many_marks' },
      })
      if (name === 'deletion.note') return
      expect((await send(EIGHT_MARKS)).statusCode).toBe(200)
    })

    test.each(['post.content', 'changed post.content', 'comment.content', 'profile.bio', 'report.detail'])(
      '%s accepts a text with NUL, which is removed',
      async (name) => {
        expect((await textFields[name]?.('夜\u0000明け'))?.statusCode).toBe(200)
      },
    )

    test.each(['registration.name', 'profile.name', 'info.name', 'info.legal_name', 'passkey.name'])(
      '%s refuses NUL, controls, line ends, bidi overrides and invisible text',
      async (name) => {
        const send = textFields[name] as (text: string) => Promise<Reply>
        for (const text of ['花\u0000子', '花\u0007子', '花\n子', '花\u202e子', '花\u2066子', '花\u2028子'])
          expect([text, errorOf(await send(text)).fields]).toEqual([
            text,
            { [fieldOf(name)]: 'control_characters' },
          ])
        for (const text of ['\u200b', '\u3164\u3164', '\u2800', '\u200d\ufe0f', '\u{e0100}'])
          expect([text, errorOf(await send(text)).fields]).toEqual([text, { [fieldOf(name)]: 'invisible' }])
      },
    )

    /** Fields with their own format: texts that are too long or malformed are refused with 422. */
    const formattedFields: Record<string, (text: string) => Promise<Reply>> = {
      'profile.handle': (text) => call(world, me, 'PUT', '/profile', { ...profile, handle: text }),
      'profile.links.0': (text) =>
        call(world, me, 'PUT', '/profile', { ...profile, links: [`https://a.example/${text}`] }),
      'info.legal_name_kana': (text) =>
        call(world, me, 'PUT', '/auth/info', { ...info, legal_name_kana: text }),
      'info.birth_date': (text) => call(world, me, 'PUT', '/auth/info', { ...info, birth_date: text }),
      'registration.email': (text) =>
        call(world, null, 'POST', '/auth/sign-up', { ...registration, email: `${text}@example.com` }),
      'registration.password': (text) =>
        call(world, null, 'POST', '/auth/sign-up', { ...registration, password: text }),
      'push.endpoint': (text) =>
        call(world, me, 'PUT', '/push/subscription', {
          ...subscription,
          endpoint: `https://a.example/${text}`,
        }),
      'push.keys.p256dh': (text) =>
        call(world, me, 'PUT', '/push/subscription', {
          ...subscription,
          keys: { ...subscription.keys, p256dh: text },
        }),
      'sign-in.email': (text) =>
        call(world, null, 'POST', '/auth/sign-in', { email: text, password: 'todoke-1234' }),
    }

    test.each(Object.keys(formattedFields))('%s refuses a megabyte and 800 kB of marks', async (name) => {
      for (const text of [MEGABYTE, CLUSTER]) {
        const reply = (await formattedFields[name]?.(text)) as Reply
        expect([reply.statusCode, errorOf(reply).code]).toEqual([422, 'invalid'])
      }
    })

    test('a link with a NUL or half a surrogate pair is refused at its field', async () => {
      for (const text of ['\u0000', '\ud800', '\u202e']) {
        const reply = (await formattedFields['profile.links.0']?.(text)) as Reply
        expect([text, errorOf(reply).fields]).toEqual([text, { 'links.0': 'https_url' }])
      }
    })

    test('search words and descriptions of images follow the same rule', async () => {
      const found = await call(world, me, 'GET', `/search/posts?q=${encodeURIComponent(NINE_MARKS)}`)
      expect(errorOf(found)).toEqual({ code: 'invalid', fields: { q: 'too_many_marks' } })
      for (const [alt, code] of [
        [MEGABYTE, 'too_long'],
        // The limit of multipart fields applies before the text is counted.
        [CLUSTER, 'too_long'],
        [NINE_MARKS, 'too_many_marks'],
      ] as const)
        expect(errorOf(await add(me, 'ねこ', [['image_alt[]', alt]])).fields).toEqual({
          'image_alt[]': code,
        })
    })

    test('file names are stored without NUL, and cut before their extension', async () => {
      for (const name of ['猫\u0000.jpg', `${'あ'.repeat(2500)}.jpg`]) {
        const id = newId()
        const metadata = `id ${Buffer.from(id).toString('base64')},filename ${Buffer.from(name).toString('base64')}`
        const reply = await world.app.inject({
          method: 'POST',
          url: TUS_PATH,
          headers: { ...me.auth, ...tus, 'upload-length': '10', 'upload-metadata': metadata },
        })
        expect(reply.statusCode).toBe(201)
        const { rows } = await world.database.executeSql(
          `select metadata ->> 'filename' as name from uploads where id = $1`,
          [id],
        )
        expect((rows[0] as { name: string }).name).toMatch(/^(猫|あ{251})\.jpg$/)
      }
      const form = new FormData()
      form.append('picture', new Blob([new Uint8Array(await jpeg())]), `${'x'.repeat(60_000)}.jpg`)
      const encoded = new Response(form)
      const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
      const body = Buffer.from(await encoded.arrayBuffer())
      const put = await call(world, me, 'PUT', '/profile/pictures/avatar', body, headers)
      const { rows } = await world.database.executeSql(
        `select max(octet_length(metadata::text)) as bytes from uploads`,
      )
      expect([put.statusCode, (rows[0] as { bytes: number }).bytes < 2000]).toEqual([200, true])
    })

    test('a User-Agent of many kilobytes is stored cut', async () => {
      const agent = 'あ'.repeat(4000)
      const headers = { 'user-agent': Buffer.from(agent).toString('latin1') }
      const reply = await call(
        world,
        null,
        'POST',
        '/auth/sign-in',
        { email: other.email, password: 'todoke-1234' },
        headers,
      )
      expect(reply.statusCode).toBe(200)
      const longest = await world.database.executeSql(
        'select max(octet_length(device)) as bytes from sessions',
      )
      expect((longest.rows[0] as { bytes: number }).bytes).toBeLessThanOrEqual(1200)
    })
  })
})
