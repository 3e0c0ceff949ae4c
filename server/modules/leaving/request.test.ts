// Requesting an account deletion, the refusals while it is pending, and cancelling it.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { endpoints } from '#contract/api.ts'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
import { setPicture } from '#server/store/people/people.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { leave, validate, secretOf } from '#server/testing/people/leaving.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

let world: World
let studio: Studio
let leaver: Member
let fan: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  studio = await openStudio(world)
  leaver = studio.creator
  fan = studio.fan
})

const signInAgain = async (member: Member): Promise<Member> => {
  const reply = await call(world, null, 'POST', '/auth/sign-in', {
    email: member.email,
    password: 'todoke-1234',
  })
  const { token } = reply.json<{ token: string }>()
  return { ...member, token, auth: { authorization: `Bearer ${token}` } }
}
const undoByLink = (token: string) => call(world, null, 'POST', '/user/deletion/undo', { token })

describe('a deletion request', () => {
  test('requires a validation within ten minutes', async () => {
    const post = () => call(world, leaver, 'POST', '/user/deletion', { reason: 'unused' })
    expect(errorOf(await post()).code).toBe('validation_required')
    await validate(world, leaver)
    world.clock.now += 10 * 60_000
    expect(errorOf(await post()).code).toBe('validation_required')
    await validate(world, leaver)
    expect((await post()).statusCode).toBe(200)
  })

  test.each([
    ['no reason', {}, { reason: 'required' }],
    ['an unknown reason', { reason: 'because' }, { reason: 'malformed' }],
    ['a note of 501 characters', { reason: 'other', note: '👨‍👩‍👧'.repeat(501) }, { note: 'too_long' }],
  ])('with %s is refused, and the reply names the field', async (_, body, fields) => {
    await validate(world, leaver)
    const reply = await call(world, leaver, 'POST', '/user/deletion', body)
    expect([reply.statusCode, errorOf(reply)]).toEqual([422, { code: 'invalid', fields }])
  })

  test('sets a time seven days ahead, which is in the reply, the state, the session and the email', async () => {
    const reply = await leave(world, leaver)
    const due = new Date(world.clock.now + LEAVING_MS).toISOString()
    expect(reply.json()).toMatchObject({ leaving: { due_at: due } })
    expect((await call(world, leaver, 'GET', '/user/deletion')).json()).toEqual({
      ...reply.json(),
      memberships: [],
      members: 0,
      bought: { posts: 0, amount: 0 },
      earnings: null,
    })
    expect((await call(world, leaver, 'GET', '/auth/session')).json().user.deletion_due).toBe(due)
    expect(await emailsTo(world, leaver.email)).toEqual([
      {
        is: 'deletion_asked',
        due: Date.parse(due),
        undoUrl: expect.stringContaining('/user/delete-account/undo#token='),
        plans: [],
        members: 0,
      },
    ])
  })

  test('ends the person’s other sessions and not the requesting one', async () => {
    const otherSession = await signInAgain(leaver)
    await leave(world, leaver)
    expect(errorOf(await call(world, otherSession, 'GET', '/auth/session')).code).toBe('unauthenticated')
    expect((await call(world, leaver, 'GET', '/auth/session')).statusCode).toBe(200)
  })

  test('stores only the hash of the secret in the undo link', async () => {
    await leave(world, leaver)
    const secret = secretOf(await emailsTo(world, leaver.email), 'deletion_asked')
    const { rows } = await world.database.executeSql('select * from deletions')
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe('while a deletion is pending', () => {
  test('a buyer sees what they have paid for until the erasure; no other person sees anything', async () => {
    const [field, mediaId] = await studio.image(await jpeg(), 'a.jpg')
    const postId = await studio.post([['type', '3'], ['price', '500'], field])
    await studio.make(mediaId)
    await addPurchase(world.deps.db, postId, fan.id, 500, world.clock.now)
    const listed = async (as: Member | null, query: string) =>
      (await call(world, as, 'GET', `/posts${query}`))
        .json()
        .posts.filter((it: { id: string }) => it.id === postId).length
    const seen = async (as: Member | null) => [
      (await call(world, as, 'GET', `/posts/${postId}`)).statusCode,
      (await call(world, as, 'GET', `/users/${leaver.id}`)).statusCode,
      (await studio.file(mediaId, 'w480', as)).statusCode,
      (await studio.file(mediaId, 'blurred', as)).statusCode,
      await listed(as, ''),
      await listed(as, `?author=${leaver.id}`),
    ]
    expect(await seen(fan)).toEqual([200, 200, 200, 200, 1, 1])
    await leave(world, leaver)
    expect(await seen(fan)).toEqual([200, 404, 200, 200, 0, 0])
    expect(await seen(await signUp(world))).toEqual([404, 404, 404, 404, 0, 0])
    for (const as of [null, leaver])
      for (const variant of ['w480', 'blurred'] as const)
        expect((await studio.file(mediaId, variant, as)).statusCode).toBe(404)
    for (const path of [`/posts/${postId}`, `/users/${leaver.id}`, '/posts'])
      expect(errorOf(await call(world, leaver, 'GET', path)).code).toBe('leaving')
    await call(world, leaver, 'DELETE', '/user/deletion')
    expect(await seen(fan)).toEqual([200, 200, 200, 200, 1, 1])
  })

  test('hidden posts do not shorten a page of the list', async () => {
    const others = await openStudio(world)
    for (let i = 0; i < 3; i++) await others.post([['type', '1']])
    for (let i = 0; i < 20; i++) await studio.post([['type', '1']])
    for (let i = 0; i < 3; i++) await others.post([['type', '1']])
    await leave(world, leaver)
    const { posts } = (await call(world, others.fan, 'GET', '/posts')).json<{
      posts: { author: { id: string } }[]
    }>()
    expect(posts.slice(0, 6).map((it) => it.author.id)).toEqual(
      Array.from({ length: 6 }, () => others.creator.id),
    )
  })

  test('the avatar is hidden', async () => {
    const [field, faceId] = await studio.image(await jpeg(), 'face.jpg')
    await studio.post([['type', '1'], field])
    await studio.make(faceId)
    await world.deps.db.execute(sql`delete from post_media where media_id = ${faceId}`)
    await setPicture(world.deps.db, leaver.id, 'avatar', faceId)
    expect((await studio.file(faceId, 'w480', null)).statusCode).toBe(200)
    await leave(world, leaver)
    expect((await studio.file(faceId, 'w480', null)).statusCode).toBe(404)
  })

  test('the person can sign in, and every endpoint that is not open while leaving is refused as leaving', async () => {
    await leave(world, leaver)
    const again = await signInAgain(leaver)
    const closed = endpoints.filter((it) => it.audience !== 'open' && !('whileLeaving' in it))
    const codes = await Promise.all(
      closed.map(async (it) => {
        const path = it.path.replace(/:[a-z_]+/g, newId())
        const body = it.method === 'GET' ? undefined : {}
        return [it.name, errorOf(await call(world, again, it.method, path, body)).code]
      }),
    )
    expect(codes).toEqual(closed.map((it) => [it.name, 'leaving']))
    expect(closed.length).toBeGreaterThan(5)
  })

  test('uploads are refused as leaving', async () => {
    await leave(world, leaver)
    const reply = await world.app.inject({
      method: 'POST',
      url: TUS_PATH,
      headers: { ...leaver.auth, 'tus-resumable': '1.0.0', 'upload-length': '1' },
    })
    expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'leaving'])
  })

  test('posts of other members are refused until the deletion is cancelled', async () => {
    const others = await openStudio(world)
    const paid = await others.post([
      ['type', '3'],
      ['price', '500'],
    ])
    await addPurchase(world.deps.db, paid, leaver.id, 500, world.clock.now)
    expect((await others.view(paid, leaver)).access.is).toBe('full')
    await leave(world, leaver)
    expect(errorOf(await call(world, leaver, 'GET', `/posts/${paid}`)).code).toBe('leaving')
    await call(world, leaver, 'DELETE', '/user/deletion')
    expect((await others.view(paid, leaver)).access.is).toBe('full')
  })
})

describe.each(databases)('cancelling a deletion, on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a cancellation', () => {
    let ownWorld: World
    let member: Member
    beforeAll(async () => {
      ownWorld = await openWorld({ database: kind })
    })
    afterAll(() => ownWorld.close())
    beforeEach(async () => {
      member = await signUp(ownWorld)
      await leave(ownWorld, member)
    })
    const secret = async () => secretOf(await emailsTo(ownWorld, member.email), 'deletion_asked')
    const byLink = async (token: string) =>
      ownWorld.app.inject({ method: 'POST', url: `${API_BASE}/user/deletion/undo`, payload: { token } })

    test('is possible for the signed-in person, who gets an email', async () => {
      expect((await call(ownWorld, member, 'DELETE', '/user/deletion')).json()).toEqual({
        undone: true,
        stopped: [],
      })
      expect((await call(ownWorld, member, 'GET', '/user/deletion')).json()).toMatchObject({ leaving: null })
      expect((await emailsTo(ownWorld, member.email)).map((it) => it.is)).toContain('deletion_undone')
      expect((await call(ownWorld, member, 'GET', '/plans/own')).statusCode).toBe(200)
    })

    test('is possible once by the email’s link without a session', async () => {
      const token = await secret()
      expect((await byLink(token)).json()).toEqual({ undone: true, stopped: [] })
      expect(errorOf(await byLink(token)).code).toBe('link_invalid')
      expect((await call(ownWorld, member, 'GET', '/user/deletion')).json()).toMatchObject({ leaving: null })
    })

    test('is refused with an invented secret and with that of a cancelled request', async () => {
      const token = await secret()
      await call(ownWorld, member, 'DELETE', '/user/deletion')
      await leave(ownWorld, member)
      for (const wrong of [token, 'x'.repeat(43), `${token}=`])
        expect(errorOf(await byLink(wrong)).code).toBe('link_invalid')
      expect((await call(ownWorld, member, 'GET', '/user/deletion')).json().leaving).not.toBeNull()
    })

    test('succeeds in one of ten concurrent requests, with one email', async () => {
      const token = await secret()
      const replies = await Promise.all(Array.from({ length: 10 }, () => byLink(token)))
      expect(replies.filter((it) => it.statusCode === 200)).toHaveLength(1)
      const emails = await emailsTo(ownWorld, member.email)
      expect(emails.filter((it) => it.is === 'deletion_undone')).toHaveLength(1)
    })

    test('is gone for a signed-in person after an earlier one', async () => {
      await call(ownWorld, member, 'DELETE', '/user/deletion')
      const reply = await call(ownWorld, member, 'DELETE', '/user/deletion')
      expect([reply.statusCode, errorOf(reply).code]).toEqual([410, 'gone'])
    })
  })
})

test('an unknown link gets the same reply as a used one', async () => {
  await leave(world, leaver)
  const used = secretOf(await emailsTo(world, leaver.email), 'deletion_asked')
  await undoByLink(used)
  const [again, unknown] = [await undoByLink(used), await undoByLink('a'.repeat(43))]
  expect([again.statusCode, again.body]).toEqual([unknown.statusCode, unknown.body])
})
