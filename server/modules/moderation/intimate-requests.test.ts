// Requests of people who are shown: hidden at once, then restored or removed.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { dueMs, opinionMs } from '#contract/inquiries/states.ts'
import { noLimits, usualLimits } from '#server/http/limits.ts'
import { deskIn } from '#server/testing/moderation/desk.ts'
import { hiding, inquiriesIn, removal, shownPerson } from '#server/testing/moderation/inquiries.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { accessOf, openShop, releasedPost, type Shop } from '#server/testing/payments/shop.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { identify } from '#server/testing/people/identity.ts'
import { sweepDeletedPosts } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepInquiries } from './expiry.ts'

const DAY = 24 * 3600_000
const refusing = { outcome: 'refused', text_to_sender: '写っていませんでした。', measure: null }
const removing = { outcome: 'removed', text_to_sender: '削除しました。', measure: removal }

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a request of a person who is shown', () => {
    let world: World
    let shop: Shop
    let staff: Member
    let post: string
    const desk = deskIn(() => world)
    const form = inquiriesIn(() => world)
    beforeAll(async () => {
      const { intimateHolds } = usualLimits
      world = await openWorld({ database: kind, settings: { limits: { ...noLimits, intimateHolds } } })
      return () => world.close()
    })
    beforeEach(async () => {
      world.clock.now += 2 * DAY
      shop = await openShop(world)
      staff = await desk.staff('moderator')
      post = await pictured()
    })

    /** A post of the creator for 500 yen with a picture. */
    const pictured = async () =>
      releasedPost(world, shop.creator, [
        ['content', '有料の絵'],
        ['type', '3'],
        ['price', '500'],
        ['has_image_file[]', await upload(world, shop.creator, await jpeg(), '絵.jpg')],
      ])
    const fields = (of: object = {}) => ({
      kind: 'intimate',
      ...shownPerson,
      email: `${newId()}@example.com`,
      url: form.urlOf(post),
      ...of,
    })
    const file = (of: object = {}) => form.file(fields(of))
    const isShown = async () =>
      (await call(world, await signUp(world), 'GET', `/posts/${post}`)).statusCode === 200
    const problem = async (of: object) => errorOf(await form.send(fields(of))).fields
    const decide = (id: string, body: object) => form.act(staff, id, 'decide', body)
    const isPast = { state: 'received', opinion: 'silent' }

    test('hides the post, also from its buyers, when the address is confirmed, and comes first in the list', async () => {
      await buy(world, shop.buyer, post)
      await form.file({ kind: 'contact', text: '使い方を教えてください。', email: 'early@example.com' })
      const sent = (await form.send(fields())).json().data.id
      expect(await isShown()).toBe(true)
      const { inquiry } = (await form.open('/confirm', form.link(sent))).json()
      expect(Date.parse(inquiry.due_at)).toBe(world.clock.now + dueMs('intimate'))
      expect(inquiry.events.map((it: { act: string }) => it.act)).toEqual([
        'sent',
        'confirmed',
        'hidden',
        'asked_author',
      ])
      expect(await isShown()).toBe(false)
      expect(errorOf(await call(world, shop.buyer, 'GET', `/posts/${post}`)).code).toBe('not_found')
      expect((await call(world, shop.creator, 'GET', `/posts/${post}`)).json().held).toMatchObject({
        reason: 'intimate',
      })
      const late = await form.file({
        kind: 'contact',
        text: '使い方を教えてください。',
        email: 'b@example.com',
      })
      world.clock.now += 30 * DAY
      await identify(world, staff)
      const listed = await form.ids(staff)
      expect(listed[0]).toBe(sent)
      expect(listed).toContain(late)
    })

    test('finds the post by its id and by the address of a comment, and only one with pictures or a video', async () => {
      expect(await problem({ url: newId() })).toEqual({ url: 'unknown_content' })
      expect(await problem({ url: 'https://other.example/post/1' })).toEqual({ url: 'unknown_content' })
      expect(await problem({ url: form.urlOf(shop.postId) })).toEqual({ url: 'no_media' })
      expect(await problem({ ground: 'x' })).toMatchObject({ ground: 'required' })
      await file({ url: post })
      expect(await isShown()).toBe(false)
      post = await pictured()
      await file({ url: `${form.urlOf(post)}?uidc=${newId()}` })
      expect(await isShown()).toBe(false)
    })

    test('is the only one about a post until it is decided', async () => {
      const waiting = (await form.send(fields())).json().data.id
      const id = await file()
      expect(await problem({})).toEqual({ url: 'already_requested' })
      expect(errorOf(await form.open('/confirm', form.link(waiting))).code).toBe('conflict')
      expect((await decide(id, refusing)).statusCode).toBe(200)
      expect((await form.open('/confirm', form.link(waiting))).statusCode).toBe(200)
    })

    test('refused shows the post again, and no later one hides it without staff', async () => {
      expect((await decide(await file(), refusing)).statusCode).toBe(200)
      expect(await isShown()).toBe(true)
      const second = await file()
      expect(await isShown()).toBe(true)
      expect(await form.read(staff, second)).toMatchObject({ opinion_due_at: null, state: 'received' })
      expect((await decide(second, removing)).statusCode).toBe(200)
      expect(await isShown()).toBe(false)
    })

    test('withdrawn shows the post again, and a later one may hide it', async () => {
      await form.open('/withdraw', form.link(await file()))
      expect(await isShown()).toBe(true)
      await file()
      expect(await isShown()).toBe(false)
    })

    test('hides three posts of one address in a day; staff read the fourth', async () => {
      const shown: boolean[] = []
      let last = ''
      for (const _ of [1, 2, 3, 4]) {
        post = await pictured()
        last = await file({ email: 'many@example.com' })
        shown.push(await isShown())
      }
      expect(shown).toEqual([false, false, false, true])
      expect(await form.ids(staff)).toContain(last)
    })

    test('is told to the author by email, who has two days and reads neither name nor text', async () => {
      const id = await file()
      expect(await emailsTo(world, shop.creator.email)).toContainEqual(
        expect.objectContaining({ is: 'inquiry_opinion', hides: true, name: '', claim: '' }),
      )
      const link = form.authorLink(id)
      const { asked } = (await form.open('/opinion/read', link)).json()
      expect(asked).toMatchObject({ name: '', text: '', right: '出演契約を取り消す、または解除する' })
      expect(Date.parse(asked.due_at)).toBe(world.clock.now + opinionMs('intimate'))
      const answer = { ...link, opinion: 'refuses', text: '契約書があります。' }
      expect((await form.open('/opinion', answer)).json().asked).toMatchObject({ opinion: 'refuses' })
      expect(await form.read(staff, id)).toMatchObject({ state: 'received', opinion: 'refuses' })
      post = await pictured()
      const silent = await file()
      world.clock.now += opinionMs('intimate')
      await sweepInquiries(world.deps)
      await identify(world, staff)
      expect(await form.read(staff, silent)).toMatchObject(isPast)
    })

    test('removed needs the removal for good, which refunds the buyers after 30 days', async () => {
      const payment = await buy(world, shop.buyer, post)
      const id = await file()
      for (const measure of [null, hiding])
        expect(errorOf(await decide(id, { ...removing, measure })).fields).toEqual({ measure: 'required' })
      expect((await decide(id, removing)).statusCode).toBe(200)
      world.clock.now += 30 * DAY + 1000
      await sweepDeletedPosts(world)
      expect(await desk.run('select state from payments where id = $1', [payment])).toEqual([
        { state: 'refunded' },
      ])
      expect(await accessOf(world, shop.buyer, post)).not.toBe('full')
    })
  })
})
