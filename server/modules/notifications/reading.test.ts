// Reading notifications: pages, read marks, emails, excerpts of inaccessible posts, and expiry.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { UNREAD_CAP } from '#contract/notifications/notifications.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { notificationRowsOf, notificationsOf, unreadOf } from '#server/testing/people/notified.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { expireNotifications } from './expiry.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('reading notifications', () => {
    let world: World
    let author: Member
    let fan: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    const newPost = async (content = '海') => {
      world.clock.now += 1000
      author = await signUp(world)
      fan = await signUp(world)
      return publish(world, author, { content })
    }
    const like = (post: string) => call(world, fan, 'PUT', `/posts/${post}/like`)
    const comment = async (as: Member, post: string, content: string) => {
      world.clock.now += 1000
      const id = newId()
      await call(world, as, 'POST', `/posts/${post}/comments`, { id, content })
      return id
    }
    const read = (who: Member, body: object) => call(world, who, 'POST', '/notifications/read', body)

    test('pages have no gaps, and an invalid cursor is refused', async () => {
      const post = await newPost()
      for (let i = 0; i < 25; i++) await comment(fan, post, `言葉${i}`)
      const first = (await call(world, author, 'GET', '/notifications')).json()
      const second = (await call(world, author, 'GET', `/notifications?cursor=${first.next}`)).json()
      const excerpts = [...first.notifications, ...second.notifications].map((it) => it.excerpt)
      expect(excerpts).toEqual(Array.from({ length: 25 }, (_, i) => `言葉${24 - i}`))
      expect([first.unread, second.next]).toEqual([25, null])
      const reply = await call(world, author, 'GET', '/notifications?cursor=bm9uZQ')
      expect([reply.statusCode, errorOf(reply).code]).toEqual([422, 'invalid'])
    })

    test('notifications are marked as read by id, up to a time, or all, and never those of another member', async () => {
      const post = await newPost()
      for (const word of ['一', '二', '三', '四']) await comment(fan, post, word)
      const [four, three, two] = await notificationRowsOf(world, author)
      const otherMember = await signUp(world)
      expect((await read(otherMember, { ids: [four?.id] })).json().unread).toBe(0)
      expect((await read(author, { ids: [three?.id] })).json().unread).toBe(3)
      expect((await read(author, { until: two?.updated_at })).json().unread).toBe(1)
      expect((await notificationRowsOf(world, author)).map((it) => it.read)).toEqual([
        false,
        true,
        true,
        true,
      ])
      expect((await read(author, {})).json().unread).toBe(0)
      const many = await read(author, { ids: Array.from({ length: 101 }, newId) })
      expect(errorOf(many)).toEqual({ code: 'invalid', fields: { ids: 'too_long' } })
    })

    test('requests without a session are unauthenticated', async () => {
      for (const path of ['/notifications', '/notifications/unread'])
        expect(errorOf(await call(world, null, 'GET', path)).code).toBe('unauthenticated')
      expect(errorOf(await call(world, null, 'POST', '/notifications/read', {})).code).toBe('unauthenticated')
    })

    test('the unread count has an upper limit', async () => {
      await newPost()
      const at = new Date(world.clock.now).toISOString()
      await world.database.executeSql(
        `insert into notifications (id, user_id, setting_cd, group_key, in_app, created_at, updated_at)
         select gen_random_uuid(), $1, 'identity', 'k' || n, true, $2, $2 from generate_series(1, 130) n`,
        [author.id, at],
      )
      expect(await unreadOf(world, author)).toBe(UNREAD_CAP)
    })

    test('an inaccessible post is not quoted, and a deleted one links to its author', async () => {
      const post = await newPost()
      await comment(fan, post, '見えなくなる')
      const [own] = await notificationRowsOf(world, author)
      await call(world, author, 'PUT', `/comments/${own?.target_sub_1_id}/like`)
      expect((await notificationsOf(world, fan))[0]).toContain('「見えなくなる」')
      await world.database.executeSql(`update posts set type = 3, price = 500 where id = $1`, [post])
      expect(await notificationsOf(world, fan)).toEqual([
        `Nさんがあなたのコメントに「いいね」しました → /post/${post}?uidc=${own?.target_sub_1_id}`,
      ])
      await world.database.executeSql(`update posts set deleted_at = now() where id = $1`, [post])
      expect(await notificationsOf(world, fan)).toEqual([
        `Nさんがあなたのコメントに「いいね」しました → /profile/${author.id}`,
      ])
      await addBlock(world.deps.db, author.id, fan.id, world.clock.now)
      expect(await notificationsOf(world, fan)).toEqual([])
    })

    test('a recipient who chose email gets one email for each notification, not for each like', async () => {
      const post = await newPost('手紙の絵')
      await call(world, author, 'PATCH', '/settings/notification/like_post', { mail: true })
      await like(post)
      const [email, ...more] = await emailsTo(world, author.email)
      expect([email, more]).toEqual([
        {
          is: 'notification',
          title: expect.stringMatching(/^会員\d+さんがあなたの投稿に「いいね」しました$/),
          quoted: '手紙の絵',
          path: `/post/${post}`,
        },
        [],
      ])
      const other = await signUp(world)
      await call(world, other, 'PUT', `/posts/${post}/like`)
      expect(await emailsTo(world, author.email)).toHaveLength(1)
    })

    test('no email is sent about a notification that was read or retracted meanwhile', async () => {
      const post = await newPost()
      await call(world, author, 'PATCH', '/settings/notification/like_post', { mail: true })
      await like(post)
      await call(world, fan, 'DELETE', `/posts/${post}/like`)
      expect(await emailsTo(world, author.email)).toEqual([])
      const second = await publish(world, author)
      await like(second)
      await read(author, {})
      expect(await emailsTo(world, author.email)).toEqual([])
    })

    test('the notification of a decided identity check does not reveal the outcome', async () => {
      await newPost()
      await world.deps.transaction(({ notify }) => notify({ is: 'identity', to: fan.id, checkId: newId() }))
      expect(await notificationsOf(world, fan)).toEqual(['本人確認の結果が出ました → /notify'])
    })

    test('read notifications are deleted after 90 days, those without actors after one, and unread ones remain', async () => {
      const post = await newPost()
      await comment(fan, post, '読んだ')
      await read(author, {})
      await comment(fan, post, '読んでいない')
      await like(post)
      await call(world, fan, 'DELETE', `/posts/${post}/like`)
      const remaining = async () => {
        const { rows } = await world.database.executeSql(
          'select setting_cd, read_at is not null as read from notifications where user_id = $1 order by created_at',
          [author.id],
        )
        return rows.map((it) => Object.values(it as object))
      }
      world.clock.now += 2 * DAY
      await expireNotifications(world.deps)
      expect(await remaining()).toEqual([
        ['comment', true],
        ['comment', false],
      ])
      world.clock.now += 89 * DAY
      await expireNotifications(world.deps)
      expect(await remaining()).toEqual([['comment', false]])
    })
  })
})
