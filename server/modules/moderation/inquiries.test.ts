// Inquiries: the open form, its links, who sees them, and their end.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { DUE_MS, keptMs, UNCONFIRMED_MS } from '#contract/inquiries/states.ts'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { deskIn } from '#server/testing/moderation/desk.ts'
import { claim, inquiriesIn } from '#server/testing/moderation/inquiries.ts'
import { errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepInquiries } from './expiry.ts'

const codeOf = (reply: Parameters<typeof errorOf>[0]) => errorOf(reply).code
const contact = { kind: 'contact', text: '使い方を教えてください。' }

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an inquiry', () => {
    let world: World
    let [author, moderator, admin]: Member[] = []
    let post: string
    beforeAll(async () => {
      const limits = { ...noLimits, inquiriesOfAddress: { max: 3, timeWindow: 60_000 } }
      world = await openWorld({ database: kind, settings: { limits } })
    })
    afterAll(() => world.close())
    const desk = deskIn(() => world)
    const form = inquiriesIn(() => world)
    const rows = (id: string) => desk.run('select * from inquiries where id = $1', [id])
    beforeEach(async () => {
      world.clock.now += 120_000
      await desk.run('delete from inquiries', [])
      author = await signUp(world)
      moderator = await desk.staff('moderator')
      admin = await desk.staff('admin')
      post = await desk.publish(author)
    })
    const people = () => [author, moderator, admin] as [Member, Member, Member]
    const copyright = () => ({ kind: 'copyright', url: form.urlOf(post) })

    test('reaches staff only once its address is confirmed, with a due day and in the case of the content', async () => {
      const [, staff] = people()
      const id = (await form.send(copyright())).json().data.id
      expect(await form.ids(staff)).toEqual([])
      expect(codeOf(await form.staff(staff, `/${id}`))).toBe('not_found')
      expect(await desk.run('select id from cases where target_id = $1', [post])).toEqual([])
      const { inquiry } = (await form.open('/confirm', form.link(id))).json()
      expect(inquiry).toMatchObject({ state: 'received', kind: 'copyright', written: { right: '複製権' } })
      expect(Date.parse(inquiry.due_at)).toBe(world.clock.now + DUE_MS)
      expect(await form.ids(staff)).toEqual([id])
      const view = await form.read(staff, id)
      expect(view).toMatchObject({ email: 'rights@example.com', content: { kind: 'post', reports: 1 } })
      const found = await desk.read(staff, defined(view.content?.case_id))
      expect(found.history).toMatchObject([{ reporter: null, reason: 'copyright', inquiry: { id } }])
    })

    test('confirmed twice, or sent twice with the same id, is one inquiry with one report', async () => {
      const id = newId()
      await Promise.all([form.send({ ...copyright(), id }), form.send({ ...copyright(), id })])
      await Promise.all([1, 2].map(() => form.open('/confirm', form.link(id))))
      expect(await desk.run('select reports from cases where target_id = $1', [post])).toEqual([
        { reports: 1 },
      ])
      expect(
        await desk.run('select act from inquiry_events where inquiry_id = $1 order by at, id', [id]),
      ).toEqual([{ act: 'sent' }, { act: 'confirmed' }])
      expect(codeOf(await form.send({ ...copyright(), id, email: 'other@example.com' }))).toBe('conflict')
    })

    test('is refused for an address without content, of another site, of a draft, and without the declaration', async () => {
      const draft = newId()
      const urls = [
        'https://other.example/post/1',
        'x',
        form.urlOf(draft),
        form.urlOf('../..'),
        `${world.deps.settings.publicUrl}/chat-messages/${author?.id}?seq=1`,
      ]
      for (const url of urls)
        expect(errorOf(await form.send({ kind: 'privacy', url })).fields).toEqual({ url: 'unknown_content' })
      const bare = await form.send({ ...copyright(), declared: false, text: '' })
      expect(errorOf(bare)).toMatchObject({ code: 'invalid' })
      const long = await form.send({ ...contact, text: 'あ'.repeat(2001) })
      expect(errorOf(long).fields).toEqual({ text: 'too_long' })
    })

    test('finds a comment, a reply and a person by their addresses', async () => {
      const [by, staff] = people()
      const comment = await desk.comment(by, post)
      const one = await form.file({ kind: 'privacy', url: `${form.urlOf(post)}?uidc=${comment}` })
      const profile = `${world.deps.settings.publicUrl}/profile/${by.id}?type=all`
      const two = await form.file({ kind: 'privacy', url: profile, email: 'two@example.com' })
      expect((await form.read(staff, one)).content).toMatchObject({ kind: 'comment', target_id: comment })
      expect((await form.read(staff, two)).content).toMatchObject({ kind: 'person', target_id: by.id })
    })

    test('is read with its own token alone, and never with that of the author', async () => {
      const [one, two] = [await form.file(contact), await form.file(copyright())]
      expect((await form.open('/read', form.link(one))).json().inquiry.written.text).toBe(contact.text)
      const wrong = [
        { ...form.link(two), inquiry_id: one },
        { ...form.link(one), token: '' },
        { inquiry_id: newId(), token: form.link(one).token },
        form.authorLink(one),
      ]
      for (const link of wrong)
        for (const path of ['/read', '/confirm', '/withdraw'])
          expect(codeOf(await form.open(path, link))).toBe('link_invalid')
      expect(codeOf(await form.open('/opinion/read', form.authorLink(two)))).toBe('link_invalid')
      expect(codeOf(await form.open('/opinion/read', form.link(two)))).toBe('link_invalid')
    })

    test('goes to one address three times at most, whatever the network', async () => {
      const to = { ...contact, email: 'flood@example.com' }
      const replies: number[] = []
      for (const _ of [1, 2, 3, 4]) replies.push((await form.send(to)).statusCode)
      expect(replies).toEqual([200, 200, 200, 429])
      expect((await form.send(contact)).statusCode).toBe(200)
    })

    test('is hidden from staff who sent it or whose content it is about; disclosure is for admins', async () => {
      const [by, staff, boss] = people()
      await desk.run(`update users set role = 'moderator' where id = $1`, [by.id])
      const about = await form.file(copyright())
      const sent = await form.file(contact, staff)
      const own = await form.file({ ...copyright(), email: 'own@example.com' }, staff)
      expect((await desk.read(boss, await desk.caseOf(post))).reports).toBe(2)
      expect(await desk.list(staff, '?kind=post')).not.toContainEqual(
        expect.objectContaining({ target_id: post }),
      )
      const disclosure = await form.file({
        kind: 'disclosure',
        url: form.urlOf(post),
        email: 'd@example.com',
      })
      expect(await form.ids(by)).toEqual([sent])
      expect(await form.ids(boss, '?kind=disclosure')).toEqual([disclosure])
      expect(await form.ids(staff)).toEqual([about])
      expect((await form.ids(boss)).toSorted()).toEqual([about, sent, own, disclosure].toSorted())
      for (const [as, id] of [
        [by, about],
        [staff, sent],
        [staff, disclosure],
      ] as const) {
        expect(codeOf(await form.staff(as, `/${id}`))).toBe('not_found')
        expect(codeOf(await form.staff(as, `/${id}/take`, {}))).toBe('not_found')
      }
      expect(await desk.run('select 1 from reports where target_id = $1', [post])).toHaveLength(2)
    })

    test('is withdrawn by its sender until it is decided, and leaves its case', async () => {
      const [, staff] = people()
      const id = await form.file(copyright())
      expect((await form.open('/withdraw', form.link(id))).json().inquiry).toMatchObject({
        state: 'decided',
        outcome: 'withdrawn',
      })
      expect((await form.open('/withdraw', form.link(id))).statusCode).toBe(200)
      expect(await desk.run('select state, reports from cases where target_id = $1', [post])).toEqual([
        { state: 'decided', reports: 0 },
      ])
      expect(codeOf(await form.staff(staff, `/${id}/take`, {}))).toBe('conflict')
      const other = await form.file(contact)
      await form.act(staff, other, 'decide', {
        outcome: 'answered',
        text_to_sender: '設定から。',
        measure: null,
      })
      expect(codeOf(await form.open('/withdraw', form.link(other)))).toBe('gone')
    })

    test('is deleted unconfirmed after 7 days, and erased years after its decision', async () => {
      const [, staff] = people()
      const lost = (await form.send(contact)).json().data.id
      const id = await form.file(contact)
      await form.act(staff, id, 'decide', {
        outcome: 'answered',
        text_to_sender: '設定から。',
        measure: null,
      })
      const start = world.clock.now
      world.clock.now = start + UNCONFIRMED_MS - 1
      await sweepInquiries(world.deps)
      expect(await rows(lost)).toHaveLength(1)
      world.clock.now += 1
      expect(codeOf(await form.open('/confirm', form.link(lost)))).toBe('link_invalid')
      await sweepInquiries(world.deps)
      expect(await rows(lost)).toHaveLength(0)
      world.clock.now = start + keptMs('contact')
      await sweepInquiries(world.deps)
      await sweepInquiries(world.deps)
      expect(await rows(id)).toMatchObject([{ sealed: null, kind: 'contact', outcome: 'answered' }])
      const texts = await desk.run('select sealed from inquiry_events where inquiry_id = $1', [id])
      expect(texts.every((it) => it['sealed'] === null)).toBe(true)
      world.clock.now = start
    })

    test('is stored without a readable text, name or address', async () => {
      const id = await form.file({ ...copyright(), ...claim })
      const stored = JSON.stringify([
        await rows(id),
        await desk.run('select * from inquiry_events where inquiry_id = $1', [id]),
      ])
      for (const text of [claim.name, claim.email, claim.text, claim.reason])
        expect(stored).not.toContain(text)
    })
  })
})
