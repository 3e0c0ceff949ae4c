// Notifications: their actor, grouping, and removal after a retraction.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { addMute, removeMute } from '#server/store/people/mutes.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { recordLiveMessages, linesOf, notificationsOf, unreadOf } from '#server/testing/people/notified.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('notifications', () => {
    let world: World
    let author: Member
    let fan: Member
    const live = recordLiveMessages()
    beforeAll(async () => {
      world = await openWorld({ database: kind, parts: { realtime: live.realtime } })
      fan = await signUp(world)
      return () => world.close()
    })
    const anew = async () => {
      world.clock.now += 1000
      author = await signUp(world)
      return { author, post: await publish(world, author, { content: '海の写真' }) }
    }
    const like = (as: Member, post: string) => call(world, as, 'PUT', `/posts/${post}/like`)
    const unlike = (as: Member, post: string) => call(world, as, 'DELETE', `/posts/${post}/like`)
    const comment = async (as: Member, post: string, more: object = {}) => {
      world.clock.now += 1000
      const id = newId()
      await call(world, as, 'POST', `/posts/${post}/comments`, { id, content: 'いいですね', ...more })
      return id
    }
    const follow = (as: Member, whom: Member) => call(world, as, 'PUT', `/follows/${whom.id}`)
    const saidTo = (who: Member) => live.to(who).map((it) => it.data)

    test('a like is told to the author once, and leaves the list when it is taken back', async () => {
      const { post } = await anew()
      await like(fan, post)
      await like(fan, post)
      expect(await notificationsOf(world, author)).toEqual([
        `Nさんがあなたの投稿に「いいね」しました「海の写真」 → /post/${post}`,
      ])
      expect(await unreadOf(world, author)).toBe(1)
      await unlike(fan, post)
      expect(await notificationsOf(world, author)).toEqual([])
      expect(await unreadOf(world, author)).toBe(0)
      expect(saidTo(author)).toEqual([{ unread: 1 }, {}, { unread: 0 }])
    })

    test('likes of one post gather in one line, the latest first; once it is read the next one begins another', async () => {
      const { post } = await anew()
      const [first, second] = [await signUp(world), await signUp(world)]
      await like(first, post)
      world.clock.now += 1000
      await like(second, post)
      const [line, ...more] = await linesOf(world, author)
      expect(more).toEqual([])
      // As many are unread as before, and an open list says something else.
      expect(live.to(author).map((it) => it.event)).toEqual(['notifications.changed', 'lines.changed'])
      expect(line).toMatchObject({ others: 1, idol_id: second.id, read: false })
      expect(line?.people.map((it) => it.id)).toEqual([second.id, first.id])
      await call(world, author, 'POST', '/notifications/read', { ids: [line?.id] })
      world.clock.now += 1000
      await like(fan, post)
      expect((await linesOf(world, author)).map((it) => [it.idol_id, it.others, it.read])).toEqual([
        [fan.id, 0, false],
        [second.id, 1, true],
      ])
      await unlike(second, post)
      expect((await linesOf(world, author)).map((it) => it.idol_id)).toEqual([fan.id, first.id])
    })

    test('one’s own acts tell nobody', async () => {
      const { post } = await anew()
      await like(author, post)
      await comment(author, post)
      expect(await notificationsOf(world, author)).toEqual([])
    })

    test('a comment leads to itself, a reply to its place, and its author is told once, not twice', async () => {
      const { post } = await anew()
      const above = await comment(fan, post, { content: '  きれい\nです  ' })
      expect(await notificationsOf(world, author)).toEqual([
        `Nさんがあなたの投稿にコメントしました「きれい です」 → /post/${post}?uidc=${above}`,
      ])
      const third = await signUp(world)
      const reply = await comment(third, post, { parent_id: above })
      expect((await notificationsOf(world, fan))[0]).toBe(
        `Nさんがあなたのコメントに返信しました「いいですね」 → /post/${post}?uidc=${above}&uidr=${reply}`,
      )
      expect((await notificationsOf(world, author))[0]).toBe(
        `Nさんがあなたの投稿にコメントしました「いいですね」 → /post/${post}?uidc=${above}&uidr=${reply}`,
      )
      const answer = await comment(author, post, { parent_id: above, answers_id: reply })
      expect((await notificationsOf(world, third))[0]).toContain(`&uidr=${answer}`)
      expect((await notificationsOf(world, fan))[0]).toContain(`&uidr=${answer}`)
      expect(await notificationsOf(world, author)).toHaveLength(2)
      await comment(third, post, { parent_id: await comment(author, post) })
      expect((await linesOf(world, author)).map((it) => it.setting_cd)).toEqual([
        'reply_comment',
        'comment',
        'comment',
      ])
    })

    test('a like of a reply names the reply below its comment', async () => {
      const { post } = await anew()
      const above = await comment(author, post)
      const reply = await comment(fan, post, { parent_id: above })
      await call(world, author, 'PUT', `/comments/${reply}/like`)
      expect((await notificationsOf(world, fan))[0]).toBe(
        `Nさんがあなたのコメントに「いいね」しました「いいですね」 → /post/${post}?uidc=${above}&uidr=${reply}`,
      )
      await call(world, author, 'DELETE', `/comments/${reply}/like`)
      expect((await notificationsOf(world, fan))[0]).not.toContain('いいね」しました')
    })

    test('a deleted comment takes the lines about it along', async () => {
      const { post } = await anew()
      const own = await comment(fan, post)
      await call(world, author, 'PUT', `/comments/${own}/like`)
      const before = await unreadOf(world, fan)
      await call(world, author, 'DELETE', `/comments/${own}`)
      expect(await notificationsOf(world, author)).toEqual([])
      expect(await unreadOf(world, fan)).toBe(before - 1)
    })

    test('followers gather, and an unfollow takes one out', async () => {
      await anew()
      const other = await signUp(world)
      await follow(fan, author)
      await follow(fan, author)
      await follow(other, author)
      expect(await notificationsOf(world, author)).toEqual([
        `Nさんとほか1人にフォローされました → /profile/follow?uid=${author.id}&list=followers`,
      ])
      await call(world, other, 'DELETE', `/follows/${author.id}`)
      expect((await linesOf(world, author)).map((it) => [it.idol_id, it.others])).toEqual([[fan.id, 0]])
    })

    test('people one has muted or is apart from are not told of, and vanish at once', async () => {
      const { post } = await anew()
      const [muted, blocked, stays] = [await signUp(world), await signUp(world), await signUp(world)]
      await addMute(world.deps.db, author.id, muted.id, world.clock.now)
      await like(muted, post)
      expect(await unreadOf(world, author)).toBe(0)
      await removeMute(world.deps.db, author.id, muted.id)
      await comment(blocked, post)
      await like(blocked, post)
      await like(stays, post)
      expect(await unreadOf(world, author)).toBe(2)
      await addBlock(world.deps.db, blocked.id, author.id, world.clock.now)
      expect((await linesOf(world, author)).map((it) => [it.idol_id, it.others])).toEqual([[stays.id, 0]])
      expect(await unreadOf(world, author)).toBe(1)
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [stays.id])
      expect([await notificationsOf(world, author), await unreadOf(world, author)]).toEqual([[], 0])
    })

    test('nobody is told who leaves or was shut out', async () => {
      const { post } = await anew()
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [author.id])
      await world.deps.transaction(({ notify }) =>
        notify({ is: 'buy_post', by: fan.id, to: author.id, postId: post }),
      )
      const { rows } = await world.database.executeSql('select 1 from notifications where user_id = $1', [
        author.id,
      ])
      expect(rows).toEqual([])
    })

    test('each kind goes where its person wants it: app, devices, mail, or nowhere', async () => {
      const { post } = await anew()
      const ways = (code: string, to: object) =>
        call(world, author, 'PATCH', `/settings/notification/${code}`, to)
      await ways('like_post', { in_app: false, push: false })
      await ways('comment', { in_app: false, push: true, mail: true })
      await ways('follow', { push: false })
      await world.database.executeSql(
        `insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at)
         select $1, user_id, id, $2, '', '', now() from sessions where user_id = $3`,
        [newId(), newId(), author.id],
      )
      await takeJobs(world, 'notification.push')
      await takeJobs(world, 'notification.mail')
      await like(fan, post)
      expect(await takeJobs(world, 'notification.push')).toEqual([])
      await comment(fan, post)
      expect(await takeJobs(world, 'notification.push')).toHaveLength(1)
      expect(await takeJobs(world, 'notification.mail')).toHaveLength(1)
      await follow(fan, author)
      expect(await takeJobs(world, 'notification.push')).toEqual([])
      expect(await takeJobs(world, 'notification.mail')).toEqual([])
      expect((await linesOf(world, author)).map((it) => it.setting_cd)).toEqual(['follow'])
      expect(await unreadOf(world, author)).toBe(1)
    })

    test('a line that fills up tells devices again only after a while', async () => {
      const { post } = await anew()
      await world.database.executeSql(
        `insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at)
         select $1, user_id, id, $2, '', '', now() from sessions where user_id = $3`,
        [newId(), newId(), author.id],
      )
      const crowd = await Promise.all(Array.from({ length: 4 }, () => signUp(world)))
      const pushes = async () => (await takeJobs(world, 'notification.push')).length
      const counts: number[] = []
      for (const [i, who] of crowd.entries()) {
        world.clock.now += i === 3 ? 10 * 60_000 : 1000
        await like(who, post)
        counts.push(await pushes())
      }
      expect(counts).toEqual([1, 0, 0, 1])
    })

    test('an act that fails tells nobody', async () => {
      const { post } = await anew()
      const failing = world.deps.transaction(async ({ notify }) => {
        await notify({ is: 'like_post', by: fan.id, to: author.id, postId: post })
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect([await notificationsOf(world, author), saidTo(author)]).toEqual([[], []])
    })

    // One connection answers one after the other: a hundred say as much there.
    const presses = kind === 'postgres' ? 1000 : 100
    test(`${presses} likes and unlikes at once leave one line with the right number`, async () => {
      const { post } = await anew()
      const crowd = await Promise.all(Array.from({ length: 10 }, () => signUp(world)))
      await Promise.all(
        Array.from({ length: presses }, (_, i) => {
          const who = crowd[i % 10] as Member
          return Math.floor(i / 10) % 2 === 0 ? like(who, post) : unlike(who, post)
        }),
      )
      for (const who of crowd.slice(0, 4)) await unlike(who, post)
      for (const who of crowd.slice(4)) await like(who, post)
      const lines = await linesOf(world, author)
      expect(lines.map((it) => it.others + 1)).toEqual([6])
      const { rows } = await world.database.executeSql(
        'select count(*)::int as n from notifications where user_id = $1',
        [author.id],
      )
      expect(rows).toEqual([{ n: 1 }])
    }, 60_000)
  })
})
