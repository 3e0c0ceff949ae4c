// Recipients of mentions: members who can read the text, once each, up to ten.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { addMute } from '#server/store/people/mutes.ts'
import { addPlan, joinPlan } from '#server/store/plans/plans.ts'
import { emailsTo, takeJobs } from '#server/testing/people/emails.ts'
import { addPost, call, identify, type Member, postIdOf, signUp } from '#server/testing/people/members.ts'
import { notificationRowsOf, notificationsOf, unreadOf } from '#server/testing/people/notified.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { fanOutPost } from './fan-out.ts'

interface Person extends Member {
  readonly handle: string
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('mentions', () => {
    let world: World
    let author: Person
    let handles = 0
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      author = await signUpWithHandle()
      return () => world.close()
    })
    const run = (statement: string, ...values: unknown[]) => world.database.executeSql(statement, values)
    async function signUpWithHandle(birthDate?: string): Promise<Person> {
      const member = await identify(world, await signUp(world, birthDate))
      const handle = `person_${++handles}`
      await run('update users set handle = $2 where id = $1', member.id, handle)
      return { ...member, handle }
    }
    const signUpMany = (count: number) => Promise.all(Array.from({ length: count }, () => signUpWithHandle()))
    const mentionsOf = (...some: Person[]) => some.map((it) => `@${it.handle}`).join(' ')
    const draft = async (content: string, more: Record<string, string> = {}, as = author) =>
      postIdOf(await addPost(world, as, Object.entries({ content, type: '1', ...more }), newId()))
    const release = (id: string, as = author) => call(world, as, 'POST', `/post/release-uploaded/${id}`)
    const comment = async (as: Member, post: string, content: string, more: object = {}) => {
      world.clock.now += 1000
      const id = newId()
      await call(world, as, 'POST', `/posts/${post}/comments`, { id, content, ...more })
      return id
    }
    const codes = async (who: Member) => (await notificationRowsOf(world, who)).map((it) => it.setting_cd)
    const read = (who: Member) => call(world, who, 'POST', '/notifications/read', {})

    test('a post notifies the members it mentions on release; notifications of comments and replies link to them', async () => {
      const [one, two, three] = (await signUpMany(3)) as [Person, Person, Person]
      const post = await draft(`${mentionsOf(one)} さんと海へ。${mentionsOf(one)} ありがとう`)
      expect(await notificationsOf(world, one)).toEqual([])
      await release(post)
      await release(post)
      expect(await notificationsOf(world, one)).toEqual([
        `Nさんがあなたをメンションしました「@${one.handle} さんと海へ。@${one.handle} ありがとう」 → /post/${post}`,
      ])
      const parent = await comment(two, post, `＠${three.handle.toUpperCase()} 見て`)
      expect(await notificationsOf(world, three)).toEqual([
        `Nさんがあなたをメンションしました「＠${three.handle.toUpperCase()} 見て」 → /post/${post}?uidc=${parent}`,
      ])
      const reply = await comment(two, post, mentionsOf(three), { parent_id: parent })
      expect((await notificationsOf(world, three))[0]).toBe(
        `Nさんがあなたをメンションしました「@${three.handle}」 → /post/${post}?uidc=${parent}&uidr=${reply}`,
      )
      expect(await unreadOf(world, three)).toBe(2)
    })

    test('a member notified of a comment or reply gets no second notification for its mention, nor for their own text', async () => {
      const [one, two] = (await signUpMany(2)) as [Person, Person]
      const post = await publish(world, author)
      const parent = await comment(one, post, `${mentionsOf(author, one)} どうぞ`)
      expect((await codes(author))[0]).toBe('comment')
      await comment(two, post, mentionsOf(one, two), { parent_id: parent })
      expect(await codes(one)).toEqual(['reply_comment'])
      expect(await codes(two)).toEqual([])
      const again = { id: newId(), content: mentionsOf(two) }
      for (const _ of [1, 2]) await call(world, one, 'POST', `/posts/${post}/comments`, again)
      expect(await codes(two)).toEqual(['mention'])
    })

    test('members who may not read the text are not notified: by plan, price, age or block', async () => {
      const [member, other, blocked, blocker] = (await signUpMany(4)) as [Person, Person, Person, Person]
      const planId = newId()
      const createdAt = new Date(world.clock.now)
      await addPlan(world.deps.db, { id: planId, creatorId: author.id, name: '応援', price: 300, createdAt })
      await joinPlan(world.deps.db, planId, member.id, world.clock.now)
      await joinPlan(world.deps.db, planId, blocked.id, world.clock.now)
      await addBlock(world.deps.db, author.id, blocked.id, world.clock.now)
      await addBlock(world.deps.db, blocker.id, author.id, world.clock.now)
      const allMentions = mentionsOf(member, other, blocked, blocker)
      const planPost = await draft(allMentions, { type: '2', 'plan_id[]': planId })
      await release(planPost)
      await comment(member, planPost, allMentions)
      for (const who of [other, blocked, blocker]) expect(await codes(who)).toEqual([])
      expect(await codes(member)).toEqual(['mention'])
      await release(await draft(allMentions, { type: '3', price: '500' }))
      expect(await unreadOf(world, member)).toBe(1)

      const [young, hidesAgeLimited, grown] = [
        await signUpWithHandle('2012-01-01'),
        await signUpWithHandle(),
        await signUpWithHandle(),
      ]
      await call(world, grown, 'PATCH', '/settings/privacy', { shows_age_limited: true })
      await release(await draft(mentionsOf(young, hidesAgeLimited, grown), { is_age_limited: '1' }))
      expect([await codes(young), await codes(hidesAgeLimited), await codes(grown)]).toEqual([
        [],
        [],
        ['mention'],
      ])
    })

    test('members who muted or blocked the author of the comment, are suspended or are leaving are not notified', async () => {
      const [writer, muter, blocker, suspended, leaver] = (await signUpMany(5)) as [
        Person,
        Person,
        Person,
        Person,
        Person,
      ]
      const now = world.clock.now
      await addMute(world.deps.db, muter.id, writer.id, now)
      await addBlock(world.deps.db, blocker.id, writer.id, now)
      await run('update users set suspended_at = now() where id = $1', suspended.id)
      await run(
        `insert into deletions (user_id, requested_at, due_at, reason, note, undo_hash) values ($1, now(), now(), 'other', '', $2)`,
        leaver.id,
        newId(),
      )
      await comment(writer, await publish(world, author), mentionsOf(muter, blocker, suspended, leaver))
      const { rows } = await run('select user_id from notifications where idol_id = $1', writer.id)
      expect(rows).toEqual([{ user_id: author.id }])
    })

    test('only the first ten handles of a text are notified, and unknown handles count', async () => {
      const members = await signUpMany(12)
      const post = await publish(world, author)
      await comment(author, post, `@nobody_at_all ${mentionsOf(...members)}`)
      const counts = await Promise.all(members.map(async (it) => (await codes(it)).length))
      expect(counts).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
    })

    test('an edited post notifies newly mentioned members, and no member twice', async () => {
      const [one, two] = (await signUpMany(2)) as [Person, Person]
      const post = await draft(mentionsOf(one))
      await release(post)
      await read(one)
      const change = (content: string) => call(world, author, 'PATCH', `/posts/${post}`, { content })
      await change(`${mentionsOf(one, two)} です`)
      expect([await codes(one), await codes(two)]).toEqual([['mention'], ['mention']])
      await read(two)
      await change('だれもいません')
      await change(`${mentionsOf(one, two)} ふたたび`)
      expect([await unreadOf(world, one), await unreadOf(world, two)]).toEqual([0, 0])
    })

    test('a mentioned follower is notified of the mention and not also of the post', async () => {
      const [one, two] = (await signUpMany(2)) as [Person, Person]
      for (const it of [one, two]) await call(world, it, 'PUT', `/follows/${author.id}`)
      await takeJobs(world, 'post.fan-out')
      await release(await draft(mentionsOf(one)))
      for (const job of await takeJobs(world, 'post.fan-out')) await fanOutPost(world.deps, job)
      expect([await codes(one), await codes(two)]).toEqual([['mention'], ['post']])
    })

    test('a mention notification is deleted with its comment or its post', async () => {
      const [one] = (await signUpMany(1)) as [Person]
      const post = await draft(mentionsOf(one))
      await release(post)
      const commentId = await comment(author, post, mentionsOf(one))
      expect(await codes(one)).toEqual(['mention', 'mention'])
      await call(world, author, 'DELETE', `/comments/${commentId}`)
      expect(await codes(one)).toEqual(['mention'])
      await call(world, author, 'DELETE', `/posts/${post}`)
      expect([await codes(one), await unreadOf(world, one)]).toEqual([[], 0])
    })

    test('the channels of mention notifications follow the recipient’s settings for this kind', async () => {
      const [one] = (await signUpMany(1)) as [Person]
      const choose = (channels: object) =>
        call(world, one, 'PATCH', '/settings/notification/mention', channels)
      expect((await choose({ in_app: false, push: false, mail: false })).statusCode).toBe(200)
      const post = await publish(world, author, { content: '海の写真' })
      await comment(author, post, mentionsOf(one))
      expect(await codes(one)).toEqual([])
      await choose({ in_app: true, mail: true })
      const commentId = await comment(author, post, `${mentionsOf(one)} 見てください`)
      expect(await emailsTo(world, one.email)).toMatchObject([
        { is: 'notification', path: `/post/${post}?uidc=${commentId}` },
      ])
    })
  })
})
