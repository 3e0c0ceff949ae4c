// Notifications: their actor, grouping, and removal after a retraction.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { addMute, removeMute } from '#server/store/people/mutes.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import {
  recordLiveMessages,
  notificationRowsOf,
  notificationsOf,
  unreadOf,
} from '#server/testing/people/notified.ts'
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
    const newPost = async () => {
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
    const liveDataFor = (who: Member) => live.to(who).map((it) => it.data)

    test('a like notifies the author once, and an unlike removes the notification', async () => {
      const { post } = await newPost()
      await like(fan, post)
      await like(fan, post)
      expect(await notificationsOf(world, author)).toEqual([
        `Nさんがあなたの投稿に「いいね」しました「海の写真」 → /post/${post}`,
      ])
      expect(await unreadOf(world, author)).toBe(1)
      await unlike(fan, post)
      expect(await notificationsOf(world, author)).toEqual([])
      expect(await unreadOf(world, author)).toBe(0)
      expect(liveDataFor(author)).toMatchObject([{ unread: 1 }, {}, { unread: 0 }])
    })

    test('of simultaneous numbers of unread notifications the later version has the number of the later moment', async () => {
      await newPost()
      const posts = await Promise.all(Array.from({ length: 8 }, () => publish(world, author)))
      await Promise.all(posts.map((it) => like(fan, it)))
      const read = (await call(world, author, 'POST', '/notifications/read', {})).json()
      const shown = live
        .to(author)
        .filter((it) => it.event === 'notifications.changed')
        .map((it) => it.data as { unread: number; version: number })
        .toSorted((a, b) => a.version - b.version || a.unread - b.unread)
      expect(shown.map((it) => it.unread).slice(0, -1)).toEqual(
        shown
          .map((it) => it.unread)
          .slice(0, -1)
          .toSorted((a, b) => a - b),
      )
      expect(shown.slice(-2).map((it) => it.unread)).toEqual([8, 0])
      // One version is one moment, which has one number.
      for (const same of Map.groupBy(shown, (it) => it.version).values())
        expect(new Set(same.map((it) => it.unread)).size).toBe(1)
      expect(read).toEqual({ unread: 0, version: expect.any(Number) })
      expect(read.version).toBeGreaterThanOrEqual(shown.at(-1)?.version ?? Infinity)
    })

    test('likes of a post join one notification, latest first; after it is read the next like starts a new one', async () => {
      const { post } = await newPost()
      const [first, second] = [await signUp(world), await signUp(world)]
      await like(first, post)
      world.clock.now += 1000
      await like(second, post)
      const [notification, ...more] = await notificationRowsOf(world, author)
      expect(more).toEqual([])
      // The unread count is unchanged, but an open list must be read again.
      expect(live.to(author).map((it) => it.event)).toEqual(['notifications.changed', 'lines.changed'])
      expect(notification).toMatchObject({ others: 1, idol_id: second.id, read: false })
      expect(notification?.people.map((it) => it.id)).toEqual([second.id, first.id])
      await call(world, author, 'POST', '/notifications/read', { ids: [notification?.id] })
      world.clock.now += 1000
      await like(fan, post)
      expect((await notificationRowsOf(world, author)).map((it) => [it.idol_id, it.others, it.read])).toEqual(
        [
          [fan.id, 0, false],
          [second.id, 1, true],
        ],
      )
      await unlike(second, post)
      expect((await notificationRowsOf(world, author)).map((it) => it.idol_id)).toEqual([fan.id, first.id])
    })

    test('members are not notified of their own actions', async () => {
      const { post } = await newPost()
      await like(author, post)
      await comment(author, post)
      expect(await notificationsOf(world, author)).toEqual([])
    })

    test('notifications of comments and replies link to them, and each recipient gets one per event', async () => {
      const { post } = await newPost()
      const parent = await comment(fan, post, { content: '  きれい\nです  ' })
      expect(await notificationsOf(world, author)).toEqual([
        `Nさんがあなたの投稿にコメントしました「きれい です」 → /post/${post}?uidc=${parent}`,
      ])
      const third = await signUp(world)
      const reply = await comment(third, post, { parent_id: parent })
      expect((await notificationsOf(world, fan))[0]).toBe(
        `Nさんがあなたのコメントに返信しました「いいですね」 → /post/${post}?uidc=${parent}&uidr=${reply}`,
      )
      expect((await notificationsOf(world, author))[0]).toBe(
        `Nさんがあなたの投稿にコメントしました「いいですね」 → /post/${post}?uidc=${parent}&uidr=${reply}`,
      )
      const answer = await comment(author, post, { parent_id: parent, answers_id: reply })
      expect((await notificationsOf(world, third))[0]).toContain(`&uidr=${answer}`)
      expect((await notificationsOf(world, fan))[0]).toContain(`&uidr=${answer}`)
      expect(await notificationsOf(world, author)).toHaveLength(2)
      await comment(third, post, { parent_id: await comment(author, post) })
      expect((await notificationRowsOf(world, author)).map((it) => it.setting_cd)).toEqual([
        'reply_comment',
        'comment',
        'comment',
      ])
    })

    test('a notification of a liked reply links to the reply under its comment', async () => {
      const { post } = await newPost()
      const parent = await comment(author, post)
      const reply = await comment(fan, post, { parent_id: parent })
      await call(world, author, 'PUT', `/comments/${reply}/like`)
      expect((await notificationsOf(world, fan))[0]).toBe(
        `Nさんがあなたのコメントに「いいね」しました「いいですね」 → /post/${post}?uidc=${parent}&uidr=${reply}`,
      )
      await call(world, author, 'DELETE', `/comments/${reply}/like`)
      expect((await notificationsOf(world, fan))[0]).not.toContain('いいね」しました')
    })

    test('deleting a comment deletes the notifications about it', async () => {
      const { post } = await newPost()
      const own = await comment(fan, post)
      await call(world, author, 'PUT', `/comments/${own}/like`)
      const before = await unreadOf(world, fan)
      await call(world, author, 'DELETE', `/comments/${own}`)
      expect(await notificationsOf(world, author)).toEqual([])
      expect(await unreadOf(world, fan)).toBe(before - 1)
    })

    test('follows join one notification, and an unfollow removes its actor', async () => {
      await newPost()
      const other = await signUp(world)
      await follow(fan, author)
      await follow(fan, author)
      await follow(other, author)
      expect(await notificationsOf(world, author)).toEqual([
        `Nさんとほか1人にフォローされました → /profile/follow?uid=${author.id}&list=followers`,
      ])
      await call(world, other, 'DELETE', `/follows/${author.id}`)
      expect((await notificationRowsOf(world, author)).map((it) => [it.idol_id, it.others])).toEqual([
        [fan.id, 0],
      ])
    })

    test('a muted member does not notify, and a blocked or suspended one disappears from the list at once', async () => {
      const { post } = await newPost()
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
      expect((await notificationRowsOf(world, author)).map((it) => [it.idol_id, it.others])).toEqual([
        [stays.id, 0],
      ])
      expect(await unreadOf(world, author)).toBe(1)
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [stays.id])
      expect([await notificationsOf(world, author), await unreadOf(world, author)]).toEqual([[], 0])
    })

    test('a suspended member is not notified', async () => {
      const { post } = await newPost()
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [author.id])
      await world.deps.transaction(({ notify }) =>
        notify({ is: 'buy_post', by: fan.id, to: author.id, postId: post }),
      )
      const { rows } = await world.database.executeSql('select 1 from notifications where user_id = $1', [
        author.id,
      ])
      expect(rows).toEqual([])
    })

    test('each kind reaches the channels that the recipient chose: app, push, email or none', async () => {
      const { post } = await newPost()
      const setChannels = (code: string, channels: object) =>
        call(world, author, 'PATCH', `/settings/notification/${code}`, channels)
      await setChannels('like_post', { in_app: false, push: false })
      await setChannels('comment', { in_app: false, push: true, mail: true })
      await setChannels('follow', { push: false })
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
      expect((await notificationRowsOf(world, author)).map((it) => it.setting_cd)).toEqual(['follow'])
      expect(await unreadOf(world, author)).toBe(1)
    })

    test('a growing notification alerts devices again only after some minutes', async () => {
      const { post } = await newPost()
      await world.database.executeSql(
        `insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at)
         select $1, user_id, id, $2, '', '', now() from sessions where user_id = $3`,
        [newId(), newId(), author.id],
      )
      const members = await Promise.all(Array.from({ length: 4 }, () => signUp(world)))
      const pushes = async () => (await takeJobs(world, 'notification.push')).length
      const counts: number[] = []
      for (const [i, who] of members.entries()) {
        world.clock.now += i === 3 ? 10 * 60_000 : 1000
        await like(who, post)
        counts.push(await pushes())
      }
      expect(counts).toEqual([1, 0, 0, 1])
    })

    test('a failed transaction notifies no member', async () => {
      const { post } = await newPost()
      const failing = world.deps.transaction(async ({ notify }) => {
        await notify({ is: 'like_post', by: fan.id, to: author.id, postId: post })
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect([await notificationsOf(world, author), liveDataFor(author)]).toEqual([[], []])
    })

    // PGlite has one connection, so requests run one after another: a hundred are enough.
    const requests = kind === 'postgres' ? 1000 : 100
    test(`${requests} concurrent likes and unlikes leave one notification with the right count`, async () => {
      const { post } = await newPost()
      const members = await Promise.all(Array.from({ length: 10 }, () => signUp(world)))
      await Promise.all(
        Array.from({ length: requests }, (_, i) => {
          const who = members[i % 10] as Member
          return Math.floor(i / 10) % 2 === 0 ? like(who, post) : unlike(who, post)
        }),
      )
      for (const who of members.slice(0, 4)) await unlike(who, post)
      for (const who of members.slice(4)) await like(who, post)
      const notifications = await notificationRowsOf(world, author)
      expect(notifications.map((it) => it.others + 1)).toEqual([6])
      const { rows } = await world.database.executeSql(
        'select count(*)::int as n from notifications where user_id = $1',
        [author.id],
      )
      expect(rows).toEqual([{ n: 1 }])
    }, 60_000)
  })
})
