// Broadcasts of a post: recipients, batches, and repeated jobs.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { JobData } from '#server/store/jobs.ts'
import { addMute } from '#server/store/people/mutes.ts'
import { addPlan, joinPlan } from '#server/store/plans/plans.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { addPost, call, type Member, postIdOf, identify, signUp } from '#server/testing/people/members.ts'
import {
  recordLiveMessages,
  notificationRowsOf,
  notificationsOf,
  unreadOf,
} from '#server/testing/people/notified.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { fanOutPost } from './fan-out.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('broadcasts', () => {
    let world: World
    let author: Member
    const live = recordLiveMessages()
    beforeAll(async () => {
      world = await openWorld({ database: kind, parts: { realtime: live.realtime } })
      return () => world.close()
    })
    const release = async (fields: Record<string, string>) => {
      const added = await addPost(world, author, Object.entries({ content: '本文', type: '1', ...fields }))
      const id = postIdOf(added)
      await call(world, author, 'POST', `/post/release-uploaded/${id}`)
      return id
    }
    /** Runs waiting batches until none is left. @returns their data, in order */
    const fanOut = async () => {
      const done: JobData['post.fan-out'][] = []
      const take = () => takeJobs(world, 'post.fan-out')
      for (let jobs = await take(); jobs.length > 0; jobs = await take())
        for (const job of jobs) {
          await fanOutPost(world.deps, job)
          done.push(job)
        }
      return done
    }
    const followers = async (count: number) => {
      const some = await Promise.all(Array.from({ length: count }, () => signUp(world)))
      for (const who of some) await call(world, who, 'PUT', `/follows/${author.id}`)
      return some
    }
    const newAuthor = async () => {
      world.clock.now += 1000
      author = await signUp(world)
    }

    test('a release notifies the followers and sends live messages to their open apps', async () => {
      await newAuthor()
      const [one, two] = (await followers(2)) as [Member, Member]
      const post = await release({ content: '朝の海' })
      await fanOut()
      expect(await notificationsOf(world, one)).toEqual([
        `Nさんが新しい投稿を公開しました「朝の海」 → /post/${post}`,
      ])
      expect(await unreadOf(world, two)).toBe(1)
      expect(live.to(two).map((it) => [it.event, it.data])).toEqual([
        ['notifications.changed', { unread: 1, version: expect.any(Number) }],
        ['feed.newer', { post_id: post, author_id: author.id }],
      ])
      expect((await notificationRowsOf(world, author)).map((it) => it.setting_cd)).toEqual(['follow'])
    })

    test('plan members are notified with a text of their own; other followers get no excerpt of the post', async () => {
      await newAuthor()
      const [member, follower] = (await followers(2)) as [Member, Member]
      const onlyMember = await signUp(world)
      const planId = newId()
      const createdAt = new Date(world.clock.now)
      await addPlan(world.deps.db, { id: planId, creatorId: author.id, name: '応援', price: 500, createdAt })
      for (const who of [member, onlyMember]) await joinPlan(world.deps.db, planId, who.id, world.clock.now)
      await identify(world, author)
      const post = await release({ content: 'ひみつ', type: '2', 'plan_id[]': planId })
      await fanOut()
      const expected = [`Nさんがプラン限定の投稿を公開しました「ひみつ」 → /post/${post}`]
      expect([await notificationsOf(world, member), await notificationsOf(world, onlyMember)]).toEqual([
        expected,
        expected,
      ])
      expect(await notificationsOf(world, follower)).toEqual([
        `Nさんが新しい投稿を公開しました → /post/${post}`,
      ])
    })

    test('members who muted or blocked the author, hide age-limited posts or chose no channel are not notified', async () => {
      await newAuthor()
      const [muting, blocking, adult, quiet] = (await followers(4)) as [Member, Member, Member, Member]
      await addMute(world.deps.db, muting.id, author.id, world.clock.now)
      await call(world, blocking, 'PUT', `/blocks/${author.id}`)
      for (const who of [muting, blocking, adult, quiet])
        await call(world, who, 'PATCH', '/settings/privacy', { shows_age_limited: true })
      await call(world, quiet, 'PATCH', '/settings/notification/post', { in_app: false, push: false })
      await release({ is_age_limited: '1' })
      await fanOut()
      const [young] = (await followers(1)) as [Member]
      await release({ is_age_limited: '1' })
      await fanOut()
      const counts = [muting, blocking, adult, quiet, young].map((who) => unreadOf(world, who))
      expect(await Promise.all(counts)).toEqual([0, 0, 2, 0, 0])
      // No hidden notification is stored either, which would appear after a change of their settings.
      const { rows } = await world.database.executeSql(
        `select 1 from notifications where user_id = any($1::uuid[])`,
        [[muting.id, blocking.id, quiet.id, young.id]],
      )
      expect(rows).toEqual([])
    })

    test('batches follow each other, and a repeated batch notifies no member twice', async () => {
      await newAuthor()
      const people = Array.from({ length: 1001 }, newId)
      const at = new Date(world.clock.now).toISOString()
      for (const [i, id] of people.entries()) {
        await world.database.executeSql(
          `insert into users (id, email, password_hash, name, birth_date, created_at) values ($1, $2, '', 'x', '1990-01-01', $3)`,
          [id, `crowd${i}-${id}@example.com`, at],
        )
        await world.database.executeSql(
          `insert into follows (follower_id, followed_id, created_at) values ($1, $2, $3)`,
          [id, author.id, at],
        )
      }
      const post = await release({})
      const countNotifications = async () => {
        const { rows } = await world.database.executeSql(
          'select count(*)::int as n, count(distinct user_id)::int as people from notifications where target_id = $1',
          [post],
        )
        return rows[0]
      }
      const [first] = await takeJobs(world, 'post.fan-out')
      await fanOutPost(world.deps, first as JobData['post.fan-out'])
      expect(await countNotifications()).toEqual({ n: 500, people: 500 })
      // The process died before the queue recorded the end of the job; meanwhile all were read.
      await world.database.executeSql('update notifications set read_at = now() where target_id = $1', [post])
      await fanOutPost(world.deps, first as JobData['post.fan-out'])
      expect(await countNotifications()).toEqual({ n: 500, people: 500 })
      expect((await fanOut()).map((it) => it.stretch)).toEqual([1, 2])
      expect(await countNotifications()).toEqual({ n: 1001, people: 1001 })
      await call(world, author, 'POST', `/post/release-uploaded/${post}`)
      expect(await fanOut()).toEqual([])
    })

    test('deleting a post deletes its unread release notifications', async () => {
      await newAuthor()
      const [fan] = (await followers(1)) as [Member]
      const post = await release({})
      await fanOut()
      await call(world, fan, 'PUT', `/posts/${post}/like`)
      await call(world, author, 'DELETE', `/posts/${post}`)
      expect([await notificationsOf(world, fan), await unreadOf(world, fan)]).toEqual([[], 0])
      // Notifications of actions of other members remain, and link to those members.
      expect((await notificationsOf(world, author))[0]).toBe(
        `Nさんがあなたの投稿に「いいね」しました → /profile/${fan.id}`,
      )
    })

    test('a post deleted before its broadcast notifies no member', async () => {
      await newAuthor()
      const [fan] = (await followers(1)) as [Member]
      const post = await release({})
      await call(world, author, 'DELETE', `/posts/${post}`)
      await fanOut()
      const { rows } = await world.database.executeSql('select 1 from notifications where user_id = $1', [
        fan.id,
      ])
      expect(rows).toEqual([])
    })
  })
})
