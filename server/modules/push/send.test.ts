// A notification reaches its person's devices: in the words of the list, as long as it is for them, and each device once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { pushPayload, type PushPayload } from '#contract/notifications/push-payload.ts'
import * as v from 'valibot'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import type { JobData } from '#server/store/jobs.ts'
import { listDevices } from '#server/store/notifications/push-subscriptions.ts'
import { addSession } from '#server/store/accounts/sessions.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { type PushService, pushTo, startPushService } from '#server/testing/clients/push-service.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { pushNotification, pushToDevice } from './send.ts'

let service: PushService
beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service.close())

for (const { kind, available } of databases)
  describe.skipIf(!available)(`on ${kind}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({
        database: kind,
        settings: { publicUrl: 'https://todoke.example' },
        parts: { push: pushTo(service) },
      })
    })
    afterAll(() => world.close())

    /** A person with a post, and this many devices. */
    async function author(devices = 1) {
      const member = await signUp(world)
      for (let n = 0; n < devices; n++) {
        const token = newToken()
        await addSession(world.deps.db, { tokenHash: hashToken(token), userId: member.id }, world.clock.now)
        const device = { ...member, token, auth: { authorization: `Bearer ${token}` } }
        await call(world, device, 'PUT', '/push/subscription', service.subscribe())
      }
      return { member, post: await publish(world, member, { content: '海の写真' }) }
    }
    async function comment(as: Member, post: string, content = 'いいですね'): Promise<string> {
      const id = newId()
      await call(world, as, 'POST', `/posts/${post}/comments`, { id, content })
      return id
    }
    /** Does the jobs that wait, as the runner would; what arrived by them, and the jobs put in by them. */
    async function deliver() {
      const before = service.arrived.length
      for (const it of await takeJobs(world, 'notification.push'))
        await pushNotification(world.deps, it.notificationId)
      for (const it of await takeJobs(world, 'push.device')) await pushToDevice(world.deps, it)
      return service.arrived.slice(before).map((it) => ({
        ...it,
        said: v.parse(pushPayload, JSON.parse(it.text)) satisfies PushPayload,
      }))
    }

    /** Pushes that wait for another try, and how many seconds; they are taken out. */
    async function waiting() {
      const { rows } = await world.database.executeSql(
        `update pgboss.job set state = 'completed' where name = 'push.device' and state = 'created'
         returning data, round(extract(epoch from start_after - created_on))::int as later`,
      )
      return (rows as { data: JobData['push.device']; later: number }[]).map((it) => ({
        work: it.data,
        later: it.later,
      }))
    }

    test('a comment is pushed to each device once, in the words of the list, with the unread count', async () => {
      const [fan, { member, post }] = [await signUp(world), await author(2)]
      const id = await comment(fan, post)
      const arrived = await deliver()
      expect(new Set(arrived.map((it) => it.device)).size).toBe(2)
      expect(arrived[0]?.said).toMatchObject({
        notification: {
          title: expect.stringMatching(/さんがあなたの投稿にコメントしました$/),
          body: 'いいですね',
          navigate: `https://todoke.example/post/${post}?uidc=${id}`,
          data: { setting_cd: 'comment', target_id: post, target_sub_1_id: id, user_id: member.id },
        },
        app_badge: 1,
      })
      expect(arrived[0]).toMatchObject({ urgency: 'normal', ttl: String(7 * 24 * 3600) })
      expect(arrived[0]?.topic).toMatch(/^[\da-f]{32}$/)
      expect(arrived[0]?.size).toBeLessThanOrEqual(4096)
      expect(await deliver()).toEqual([])
    })

    test('what was read meanwhile is not pushed', async () => {
      const [fan, { member, post }] = [await signUp(world), await author()]
      await comment(fan, post)
      await call(world, member, 'POST', '/notifications/read', {})
      expect(await deliver()).toEqual([])
    })

    test('whoever was blocked meanwhile is not named to their blocker', async () => {
      const [fan, { member, post }] = [await signUp(world), await author()]
      await comment(fan, post)
      await addBlock(world.deps.db, member.id, fan.id, world.clock.now)
      expect(await deliver()).toEqual([])
    })

    test('a kind that is wanted on no device is not pushed', async () => {
      const [fan, { member, post }] = [await signUp(world), await author()]
      await call(world, member, 'PATCH', '/settings/notification/comment', { push: false })
      await comment(fan, post)
      expect(await deliver()).toEqual([])
    })

    test('text behind a gate is in no push', async () => {
      const [{ member }, { member: fan }] = [await author(), await author()]
      const gated = await publish(world, member, { type: 3, price: 500, content: '門の中の言葉' })
      await world.deps.transaction(({ notify }) =>
        notify({ is: 'buy_post', by: member.id, to: fan.id, postId: gated }),
      )
      const [message] = await deliver()
      expect(message?.said.notification).toMatchObject({ body: '', data: { target_id: gated } })
      expect(message?.text).not.toContain('門の中')
    })

    test('404 and 410 end the device, and nothing is tried again', async () => {
      const fan = await signUp(world)
      for (const status of [404, 410]) {
        const { member, post } = await author()
        await comment(fan, post)
        service.answers.push({ status })
        expect(await deliver()).toEqual([])
        expect(await listDevices(world.deps.db, member.id)).toEqual([])
        expect(await takeJobs(world, 'push.device')).toEqual([])
      }
    })

    test('413 is tried once more, shorter', async () => {
      const [fan, { post }] = [await signUp(world), await author()]
      await comment(fan, post, '長い'.repeat(300))
      service.answers.push({ status: 413 })
      expect(await deliver()).toMatchObject([
        { said: { notification: { body: expect.stringMatching(/^長い/) } } },
      ])
      expect(await waiting()).toEqual([])
    })

    test('429 waits as long as it was told, 5xx a while and longer each time, and then it arrives', async () => {
      const [fan, { post }] = [await signUp(world), await author()]
      await comment(fan, post)
      service.answers.push({ status: 429, headers: { 'retry-after': '3600' } })
      expect(await deliver()).toEqual([])
      const [first, none] = await waiting()
      expect([first?.work.tries, first?.later, none]).toEqual([1, 3600, undefined])
      service.answers.push({ status: 503 })
      if (first) await pushToDevice(world.deps, first.work)
      const [second] = await waiting()
      expect([second?.work.tries, second?.later]).toEqual([2, 120])
      const before = service.arrived.length
      if (second) await pushToDevice(world.deps, second.work)
      expect(service.arrived.length).toBe(before + 1)
      expect(await waiting()).toEqual([])
    })

    test('after the tenth try it is given up, and the device stays', async () => {
      const [fan, { member, post }] = [await signUp(world), await author()]
      await comment(fan, post)
      service.answers.push({ status: 500 })
      await deliver()
      const [job] = await takeJobs(world, 'push.device')
      service.answers.push({ status: 500 })
      if (job) await pushToDevice(world.deps, { ...job, tries: 9 })
      expect(await takeJobs(world, 'push.device')).toEqual([])
      expect(await listDevices(world.deps.db, member.id)).toHaveLength(1)
    })

    test('a device on which somebody else signed in meanwhile hears nothing of the first person', async () => {
      const [fan, other, { member, post }] = [await signUp(world), await signUp(world), await author()]
      const [device] = await listDevices(world.deps.db, member.id)
      await comment(fan, post)
      const jobs = await takeJobs(world, 'notification.push')
      for (const it of jobs) await pushNotification(world.deps, it.notificationId)
      const { endpoint = '', p256dh = '', auth = '' } = device ?? {}
      await call(world, other, 'PUT', '/push/subscription', { endpoint, keys: { p256dh, auth } })
      expect(await deliver()).toEqual([])
    })

    test('jobs carry ids alone: no address and no key of a device', async () => {
      const [fan, { post }] = [await signUp(world), await author()]
      await comment(fan, post)
      for (const it of await takeJobs(world, 'notification.push'))
        await pushNotification(world.deps, it.notificationId)
      const [job] = await takeJobs(world, 'push.device')
      expect(Object.keys(job ?? {}).toSorted()).toEqual(['deviceId', 'notificationId', 'tries'])
    })
  })
