// Recipients of a mention: people who see all of the text, once, up to the limit.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { addMute } from '#server/store/people/mutes.ts'
import { addPlan, joinPlan } from '#server/store/posts/plans.ts'
import { emailsTo, takeJobs } from '#server/testing/people/emails.ts'
import { addPost, call, identify, type Member, postIdOf, signUp } from '#server/testing/people/members.ts'
import { linesOf, notificationsOf, unreadOf } from '#server/testing/people/notified.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { fanOutPost } from './fan-out.ts'

interface Named extends Member {
  readonly handle: string
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('mentions', () => {
    let world: World
    let author: Named
    let count = 0
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      author = await named()
      return () => world.close()
    })
    const run = (statement: string, ...values: unknown[]) => world.database.executeSql(statement, values)
    async function named(birthDate?: string): Promise<Named> {
      const member = await identify(world, await signUp(world, birthDate))
      const handle = `person_${++count}`
      await run('update users set handle = $2 where id = $1', member.id, handle)
      return { ...member, handle }
    }
    const people = (many: number) => Promise.all(Array.from({ length: many }, () => named()))
    const naming = (...some: Named[]) => some.map((it) => `@${it.handle}`).join(' ')
    const draft = async (content: string, more: Record<string, string> = {}, as = author) =>
      postIdOf(await addPost(world, as, Object.entries({ content, type: '1', ...more }), newId()))
    const release = (id: string, as = author) => call(world, as, 'POST', `/post/release-uploaded/${id}`)
    const comment = async (as: Member, post: string, content: string, more: object = {}) => {
      world.clock.now += 1000
      const id = newId()
      await call(world, as, 'POST', `/posts/${post}/comments`, { id, content, ...more })
      return id
    }
    const codes = async (who: Member) => (await linesOf(world, who)).map((it) => it.setting_cd)
    const read = (who: Member) => call(world, who, 'POST', '/notifications/read', {})

    test('a post tells those it names once it is released, a comment and a reply where they stand', async () => {
      const [one, two, three] = (await people(3)) as [Named, Named, Named]
      const post = await draft(`${naming(one)} さんと海へ。${naming(one)} ありがとう`)
      expect(await notificationsOf(world, one)).toEqual([])
      await release(post)
      await release(post)
      expect(await notificationsOf(world, one)).toEqual([
        `Nさんがあなたをメンションしました「@${one.handle} さんと海へ。@${one.handle} ありがとう」 → /post/${post}`,
      ])
      const above = await comment(two, post, `＠${three.handle.toUpperCase()} 見て`)
      expect(await notificationsOf(world, three)).toEqual([
        `Nさんがあなたをメンションしました「＠${three.handle.toUpperCase()} 見て」 → /post/${post}?uidc=${above}`,
      ])
      const reply = await comment(two, post, naming(three), { parent_id: above })
      expect((await notificationsOf(world, three))[0]).toBe(
        `Nさんがあなたをメンションしました「@${three.handle}」 → /post/${post}?uidc=${above}&uidr=${reply}`,
      )
      expect(await unreadOf(world, three)).toBe(2)
    })

    test('whoever is told of a comment as its answer is not told a second time, and nobody of their own', async () => {
      const [one, two] = (await people(2)) as [Named, Named]
      const post = await publish(world, author)
      const above = await comment(one, post, `${naming(author, one)} どうぞ`)
      expect((await codes(author))[0]).toBe('comment')
      await comment(two, post, naming(one, two), { parent_id: above })
      expect(await codes(one)).toEqual(['reply_comment'])
      expect(await codes(two)).toEqual([])
      const again = { id: newId(), content: naming(two) }
      for (const _ of [1, 2]) await call(world, one, 'POST', `/posts/${post}/comments`, again)
      expect(await codes(two)).toEqual(['mention'])
    })

    test('nobody is told of what they may not read: a plan, a price, their age, a block', async () => {
      const [member, other, apart, apartToo] = (await people(4)) as [Named, Named, Named, Named]
      const planId = newId()
      const createdAt = new Date(world.clock.now)
      await addPlan(world.deps.db, { id: planId, creatorId: author.id, name: '応援', price: 300, createdAt })
      await joinPlan(world.deps.db, planId, member.id, world.clock.now)
      await joinPlan(world.deps.db, planId, apart.id, world.clock.now)
      await addBlock(world.deps.db, author.id, apart.id, world.clock.now)
      await addBlock(world.deps.db, apartToo.id, author.id, world.clock.now)
      const everybody = naming(member, other, apart, apartToo)
      const gated = await draft(everybody, { type: '2', 'plan_id[]': planId })
      await release(gated)
      await comment(member, gated, everybody)
      for (const who of [other, apart, apartToo]) expect(await codes(who)).toEqual([])
      expect(await codes(member)).toEqual(['mention'])
      await release(await draft(everybody, { type: '3', price: '500' }))
      expect(await unreadOf(world, member)).toBe(1)

      const [young, careful, grown] = [await named('2012-01-01'), await named(), await named()]
      await call(world, grown, 'PATCH', '/settings/privacy', { shows_age_limited: true })
      await release(await draft(naming(young, careful, grown), { is_age_limited: '1' }))
      expect([await codes(young), await codes(careful), await codes(grown)]).toEqual([[], [], ['mention']])
    })

    test('nor by somebody they have muted or are apart from, nor when they are shut out or leave', async () => {
      const [writer, muter, apart, shut, leaver] = (await people(5)) as [Named, Named, Named, Named, Named]
      const now = world.clock.now
      await addMute(world.deps.db, muter.id, writer.id, now)
      await addBlock(world.deps.db, apart.id, writer.id, now)
      await run('update users set suspended_at = now() where id = $1', shut.id)
      await run(
        `insert into deletions (user_id, requested_at, due_at, reason, note, undo_hash) values ($1, now(), now(), 'other', '', $2)`,
        leaver.id,
        newId(),
      )
      await comment(writer, await publish(world, author), naming(muter, apart, shut, leaver))
      const { rows } = await run('select user_id from notifications where idol_id = $1', writer.id)
      expect(rows).toEqual([{ user_id: author.id }])
    })

    test('of many names the first ten are told, and names nobody has take a place too', async () => {
      const crowd = await people(12)
      const post = await publish(world, author)
      await comment(author, post, `@nobody_at_all ${naming(...crowd)}`)
      const told = await Promise.all(crowd.map(async (it) => (await codes(it)).length))
      expect(told).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
    })

    test('a changed post tells those who came in, and nobody twice', async () => {
      const [one, two] = (await people(2)) as [Named, Named]
      const post = await draft(naming(one))
      await release(post)
      await read(one)
      const change = (content: string) => call(world, author, 'PATCH', `/posts/${post}`, { content })
      await change(`${naming(one, two)} です`)
      expect([await codes(one), await codes(two)]).toEqual([['mention'], ['mention']])
      await read(two)
      await change('だれもいません')
      await change(`${naming(one, two)} ふたたび`)
      expect([await unreadOf(world, one), await unreadOf(world, two)]).toEqual([0, 0])
    })

    test('a follower who is named is told of that, and not of the same post again', async () => {
      const [one, two] = (await people(2)) as [Named, Named]
      for (const it of [one, two]) await call(world, it, 'PUT', `/follows/${author.id}`)
      await takeJobs(world, 'post.fan-out')
      await release(await draft(naming(one)))
      for (const job of await takeJobs(world, 'post.fan-out')) await fanOutPost(world.deps, job)
      expect([await codes(one), await codes(two)]).toEqual([['mention'], ['post']])
    })

    test('it goes with its comment and with its post', async () => {
      const [one] = (await people(1)) as [Named]
      const post = await draft(naming(one))
      await release(post)
      const said = await comment(author, post, naming(one))
      expect(await codes(one)).toEqual(['mention', 'mention'])
      await call(world, author, 'DELETE', `/comments/${said}`)
      expect(await codes(one)).toEqual(['mention'])
      await call(world, author, 'DELETE', `/posts/${post}`)
      expect([await codes(one), await unreadOf(world, one)]).toEqual([[], 0])
    })

    test('how one is told is one’s own choice, of this kind alone', async () => {
      const [one] = (await people(1)) as [Named]
      const choose = (ways: object) => call(world, one, 'PATCH', '/settings/notification/mention', ways)
      expect((await choose({ in_app: false, push: false, mail: false })).statusCode).toBe(200)
      const post = await publish(world, author, { content: '海の写真' })
      await comment(author, post, naming(one))
      expect(await codes(one)).toEqual([])
      await choose({ in_app: true, mail: true })
      const said = await comment(author, post, `${naming(one)} 見てください`)
      expect(await emailsTo(world, one.email)).toMatchObject([
        { is: 'notification', path: `/post/${post}?uidc=${said}` },
      ])
    })
  })
})
