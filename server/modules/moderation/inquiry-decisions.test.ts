// Inquiries in the hands of staff: locks, questions, opinions, measures, and undoing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { opinionMs } from '#contract/inquiries/states.ts'
import { CASE_LOCK_MS } from '#contract/moderation/measures.ts'
import { noLimits } from '#server/http/limits.ts'
import { deskIn } from '#server/testing/moderation/desk.ts'
import { hiding, inquiriesIn } from '#server/testing/moderation/inquiries.ts'
import { audited, identify } from '#server/testing/people/identity.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepInquiries } from './expiry.ts'

const codeOf = (reply: Parameters<typeof errorOf>[0]) => errorOf(reply).code
const removing = { outcome: 'removed', text_to_sender: '非公開にしました。', measure: hiding }
const refusing = { outcome: 'refused', text_to_sender: '引用の範囲と判断しました。', measure: null }
const text = { text: '詳しく教えてください。' }

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a claim', () => {
    let world: World
    let [author, one, two]: Member[] = []
    let post: string
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { limits: noLimits } })
    })
    afterAll(() => world.close())
    const desk = deskIn(() => world)
    const form = inquiriesIn(() => world)
    beforeEach(async () => {
      author = await signUp(world)
      one = await desk.staff('moderator')
      two = await desk.staff('admin')
      post = await desk.publish(author)
    })
    const people = () => [author, one, two] as [Member, Member, Member]
    const file = (of = 'copyright') => form.file({ kind: of, url: form.urlOf(post) })
    const isShown = async () =>
      (await call(world, await signUp(world), 'GET', `/posts/${post}`)).statusCode === 200
    const own = async (id: string) => (await form.open('/read', form.link(id))).json().inquiry

    test('is taken by one person for 15 minutes, and needs that person to decide', async () => {
      const [, first, second] = people()
      const id = await file()
      const takes = await Promise.all([first, second].map((it) => form.staff(it, `/${id}/take`, {})))
      expect(takes.map((it) => it.statusCode).toSorted()).toEqual([200, 409])
      const [holder, other] = takes[0]?.statusCode === 200 ? [first, second] : [second, first]
      expect(codeOf(await form.staff(other, `/${id}/decide`, refusing))).toBe('conflict')
      expect((await form.read(holder, id)).state).toBe('in_progress')
      world.clock.now += CASE_LOCK_MS
      await identify(world, holder)
      expect(codeOf(await form.staff(holder, `/${id}/decide`, refusing))).toBe('conflict')
      expect((await form.staff(other, `/${id}/take`, {})).statusCode).toBe(200)
      await form.staff(other, `/${id}/leave`, {})
      expect((await form.read(other, id)).taken).toBe(null)
    })

    test('is decided by a measure of its case, which its author appeals, and which an undo takes back', async () => {
      const [by, staff] = people()
      const id = await file()
      await desk.report(await signUp(world), `post/${post}`)
      expect(codeOf(await form.act(staff, id, 'decide', removing))).toBe('conflict')
      await desk.read(staff, await desk.caseOf(post))
      const before = (await audited(world)).length
      const measure = { ...hiding, seen: 2 }
      const done = await form.staff(staff, `/${id}/decide`, { ...removing, measure })
      expect(done.json().inquiry).toMatchObject({ state: 'decided', outcome: 'removed', taken: null })
      expect(await isShown()).toBe(false)
      expect((await audited(world)).slice(before).map((it) => it.act)).toEqual([
        'case.decide',
        'inquiry.decide',
      ])
      expect(await own(id)).toMatchObject({ outcome: 'removed' })
      expect((await own(id)).events.at(-1)).toMatchObject({ act: 'decided', text: '非公開にしました。' })
      const [decision] = await desk.own(by)
      expect(decision).toMatchObject({ rule: 'copyright', text: hiding.text_to_person })
      expect(decision?.appeal_until).not.toBe(null)
      expect((await desk.undo(staff, await desk.caseOf(post))).statusCode).toBe(200)
      expect(await isShown()).toBe(true)
      expect(await own(id)).toMatchObject({ state: 'received', outcome: null })
      expect((await desk.read(staff, await desk.caseOf(post))).reports).toBe(2)
    })

    test('opens again when an appeal against its measure is granted', async () => {
      const [by, staff, second] = people()
      const id = await file()
      await form.act(staff, id, 'decide', removing)
      await desk.appeal(by, { decision_id: (await desk.own(by))[0]?.id, text: '引用です。' })
      await desk.take(second, await desk.caseOf(post))
      expect((await desk.answer(second, await desk.caseOf(post), true)).statusCode).toBe(200)
      expect(await own(id)).toMatchObject({ state: 'received', outcome: null })
      expect(await isShown()).toBe(true)
      expect((await form.act(second, id, 'decide', refusing)).statusCode).toBe(200)
    })

    test('cannot be called removed while its content is shown; refused it leaves its case', async () => {
      const [, staff] = people()
      const id = await file('privacy')
      const bare = await form.act(staff, id, 'decide', { ...removing, measure: null })
      expect(errorOf(bare)).toMatchObject({ code: 'invalid' })
      expect(errorOf(bare).fields).toEqual({ measure: 'required' })
      const odd = await form.staff(staff, `/${id}/decide`, { ...refusing, outcome: 'answered' })
      expect(errorOf(odd).fields).toEqual({ outcome: 'unsupported' })
      const measured = await form.staff(staff, `/${id}/decide`, { ...refusing, measure: hiding })
      expect(errorOf(measured).fields).toEqual({ measure: 'unsupported' })
      expect((await form.staff(staff, `/${id}/decide`, refusing)).statusCode).toBe(200)
      expect(await desk.run('select state, reports from cases where target_id = $1', [post])).toEqual([
        { state: 'decided', reports: 0 },
      ])
      expect(codeOf(await form.staff(staff, `/${id}/decide`, refusing))).toBe('conflict')
    })

    test('asks its sender, whose answer brings it back once', async () => {
      const [, staff, second] = people()
      const id = await file()
      expect((await form.act(staff, id, 'ask-sender', text)).json().inquiry.state).toBe('asked_sender')
      expect(codeOf(await form.act(second, id, 'ask-sender', text))).toBe('conflict')
      const answer = { ...form.link(id), text: '題名は「朝」です。' }
      expect((await form.open('/answer', answer)).json().inquiry.state).toBe('in_progress')
      expect((await form.open('/answer', answer)).statusCode).toBe(200)
      expect(codeOf(await form.open('/answer', { ...answer, text: '別の答え' }))).toBe('gone')
      expect((await form.read(second, id)).events.map((it) => it.act)).toEqual([
        'sent',
        'confirmed',
        'asked_sender',
        'sender_answered',
      ])
    })

    test('asks its author once, who sees the name only if it may be shown, and whose words the sender never reads', async () => {
      const [, staff] = people()
      const id = await form.file({ kind: 'copyright', url: form.urlOf(post), may_tell_name: false })
      await form.act(staff, id, 'ask-author', text)
      const link = form.authorLink(id)
      expect((await form.open('/opinion/read', link)).json().asked).toMatchObject({
        name: '',
        question: text.text,
      })
      expect(codeOf(await form.act(staff, id, 'decide', removing))).toBe('conflict')
      const refusal = { ...link, opinion: 'refuses', text: '自分で描きました。' }
      expect((await form.open('/opinion', refusal)).json().asked).toMatchObject({ opinion: 'refuses' })
      expect((await form.open('/opinion', refusal)).statusCode).toBe(200)
      expect(codeOf(await form.open('/opinion', { ...link, opinion: 'consents' }))).toBe('gone')
      expect(JSON.stringify(await own(id))).not.toMatch(/自分で描きました|詳しく教えて/)
      expect(await form.read(staff, id)).toMatchObject({ state: 'in_progress', opinion: 'refuses' })
      expect(codeOf(await form.act(staff, id, 'ask-author', text))).toBe('conflict')
    })

    test('for disclosure waits for its author for 14 days, and is disclosed only afterwards', async () => {
      const [, , boss] = people()
      const id = await file('disclosure')
      const disclosing = { outcome: 'disclosed', text_to_sender: '書面でお送りします。', measure: null }
      expect(errorOf(await form.act(boss, id, 'decide', disclosing)).fields).toEqual({ opinion: 'required' })
      await form.staff(boss, `/${id}/ask-author`, text)
      world.clock.now += opinionMs('disclosure') - 1
      await sweepInquiries(world.deps)
      expect((await form.read(boss, id)).state).toBe('asked_author')
      world.clock.now += 1
      const late = { ...form.authorLink(id), opinion: 'consents' }
      expect(codeOf(await form.open('/opinion', late))).toBe('gone')
      await sweepInquiries(world.deps)
      expect(await form.read(boss, id)).toMatchObject({ state: 'in_progress', opinion: 'silent' })
      await identify(world, boss)
      expect((await form.act(boss, id, 'decide', disclosing)).statusCode).toBe(200)
    })

    test('is counted by quarter, without numbers from 1 to 4', async () => {
      const { quarters } = (await call(world, null, 'GET', '/transparency')).json()
      expect(quarters[0]).toMatchObject({ automatic: 0, authorities: 0, measures: { remove: 0 } })
      const [, staff] = people()
      for (const _ of [1, 2, 3, 4, 5]) {
        post = await desk.publish(people()[0])
        await form.act(staff, await file(), 'decide', refusing)
      }
      world.clock.now += 3600_000
      const [now] = (await call(world, null, 'GET', '/transparency')).json().quarters
      expect(now.inquiries.copyright).toBeGreaterThanOrEqual(5)
      expect(now.outcomes.copyright.refused).toBeGreaterThanOrEqual(5)
      const counts = Object.values(now.outcomes.disclosure)
      expect(counts.every((it) => it === 0 || it === 'few')).toBe(true)
      expect(now.speed).toMatchObject({ within_due: expect.any(Number), median_days: 0 })
    })
  })
})
